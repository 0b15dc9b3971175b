const browsers = [
  ['Edge', /\bEdg/],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Chrome|CriOS|HeadlessChrome)\//],
  ['Safari', /\bSafari\//],
] as const;
const systems = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Mac', /\bMacintosh\b/],
  ['Linux', /\bLinux\b/],
] as const;

/** What a browser says that it is, in words such as `Chrome, Windows`; '' if it says nothing that is known. */
export function deviceName(userAgent: string): string {
  const known = (names: readonly (readonly [string, RegExp])[]): string[] => {
    const found = names.find(([, pattern]) => pattern.test(userAgent));
    return found ? [found[0]] : [];
  };
  return [...known(browsers), ...known(systems)].join(', ');
}
