import { createCssVariablesTheme, type ShikiTransformer } from 'shiki';

/** Code is coloured by classes: the content policy allows no style in an attribute, and the colours are those of the theme. */
export const codeTheme = createCssVariablesTheme({ name: 'console', variablePrefix: '--', fontStyle: false });

export const classesForColours: ShikiTransformer = {
  name: 'classes-for-colours',
  pre(node) {
    delete node.properties['style'];
  },
  code(node) {
    delete node.properties['style'];
  },
  span(node) {
    const [, name] = /^color:var\(--(?:token-)?([\w-]+)\)/.exec(String(node.properties['style'] ?? '')) ?? [];
    delete node.properties['style'];
    if (name !== undefined && name !== 'foreground') node.properties['class'] = `c-${name}`;
  },
  // What has the colour of the text needs no element.
  line(node) {
    node.children = node.children.flatMap((child) =>
      child.type === 'element' && child.properties['class'] === undefined && child.properties['style'] === undefined
        ? child.children
        : [child],
    );
  },
};
