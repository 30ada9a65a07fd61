// Not a module, so that it runs before the first paint and a page never flashes in the other theme.
(() => {
  let theme = null;
  try {
    theme = localStorage.getItem('millrace.theme');
  } catch {
    // Storage is closed to this page; the theme of the system stays.
  }
  if (theme === 'light' || theme === 'dark') {
    document.documentElement.dataset.theme = theme;
  }
})();
