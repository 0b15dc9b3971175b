/**
 * Shows the HTML that the console sends. It is parsed by DOMParser, whose scripts never run; what would send the browser elsewhere
 * before anybody sees it is taken out. The policy of this file (server/http/console.ts) refuses the rest.
 */
const LEADING_ELSEWHERE = 'base, meta[http-equiv], link:not([rel="stylesheet"])';

addEventListener('message', ({ source, data }) => {
  if (source !== parent || typeof data?.html !== 'string') return;
  const page = new DOMParser().parseFromString(data.html, 'text/html');
  for (const element of page.querySelectorAll(LEADING_ELSEWHERE)) element.remove();
  document.replaceChild(document.adoptNode(page.documentElement), document.documentElement);
});

// A link of the page would replace it by another one.
addEventListener('click', (event) => event.preventDefault(), true);

parent.postMessage('ready', '*');
