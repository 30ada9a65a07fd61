// Shows the API's description on the page /docs.
SwaggerUIBundle({url: '/openapi.json', dom_id: '#api', deepLinking: true});
