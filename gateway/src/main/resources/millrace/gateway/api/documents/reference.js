// Shows the API's description on the page of all calls, light or dark as the console's switch or the reader's system says.
const dark = matchMedia('(prefers-color-scheme: dark)');
const follow = () => {
  const theme = document.documentElement.dataset.theme ?? (dark.matches ? 'dark' : 'light');
  document.documentElement.classList.toggle('dark-mode', theme === 'dark');
};
dark.addEventListener('change', follow);
follow();
SwaggerUIBundle({url: '/openapi.json', dom_id: '#reference', deepLinking: true});
