package millrace.gateway.api.documents;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import millrace.contracts.Json;
import org.commonmark.Extension;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Code;
import org.commonmark.node.CustomNode;
import org.commonmark.node.FencedCodeBlock;
import org.commonmark.node.Heading;
import org.commonmark.node.Node;
import org.commonmark.node.Paragraph;
import org.commonmark.node.SoftLineBreak;
import org.commonmark.node.Text;
import org.commonmark.parser.Parser;
import org.commonmark.renderer.html.HtmlRenderer;
import org.commonmark.renderer.markdown.MarkdownRenderer;
import org.jspecify.annotations.Nullable;

/**
 * The documentation for one audience, with what its pages need: styles, scripts and an index for the search. A page is
 * rendered when it is first asked for and stays in memory; all together are less than 1 MiB. Safe for use by many
 * threads.
 */
public final class DocumentSite {
    private static final List<Extension> EXTENSIONS = List.of(TablesExtension.create());
    private static final Parser PARSER = Parser.builder().extensions(EXTENSIONS).build();
    private static final HtmlRenderer RENDERER = HtmlRenderer.builder()
            .extensions(EXTENSIONS)
            .escapeHtml(true)
            .attributeProviderFactory(context -> DocumentSite::nameHeading)
            .build();
    private static final MarkdownRenderer MARKDOWN =
            MarkdownRenderer.builder().extensions(EXTENSIONS).build();

    private static final String HTML = "text/html; charset=utf-8";
    private static final String OF_MARKDOWN = "text/markdown; charset=utf-8";
    private static final String SCRIPT = "text/javascript; charset=utf-8";
    private static final Map<String, String> FILES =
            Map.of("style.css", "text/css; charset=utf-8", "site.js", SCRIPT, "theme.js", SCRIPT);
    private static final String SEARCH = "search.json";
    private static final String THEME = "/millrace/gateway/console/theme.js";

    /** All of it from here. */
    private static final String POLICY =
            "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; script-src 'self'; "
                    + "connect-src 'self'; style-src 'self'; require-trusted-types-for 'script'";

    private final Guide.Audience audience;
    private final boolean console;
    private final Supplier<byte[]> openApi;
    private final Map<String, byte[]> rendered = new ConcurrentHashMap<>();
    private volatile @Nullable Calls renderedCalls;

    /** The page of all calls, and the OpenAPI document that it was rendered from. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Calls(byte[] openApi, String markdown, byte[] page) {}

    private DocumentSite(Guide.Audience audience, boolean console, Supplier<byte[]> openApi) {
        this.audience = audience;
        this.console = console;
        this.openApi = openApi;
    }

    /**
     * The site at {@code /docs}.
     *
     * @param console whether there is a console, which pages then lead to
     * @param openApi the document of the API as JSON; another array once it has changed
     */
    static DocumentSite forClients(boolean console, Supplier<byte[]> openApi) {
        return new DocumentSite(Guide.Audience.CLIENTS, console, openApi);
    }

    /**
     * The site at {@code /handbook}.
     *
     * @param console whether there is a console, which pages then lead to
     * @param openApi the document of the admin API as JSON
     */
    public static DocumentSite forOperators(boolean console, byte[] openApi) {
        return new DocumentSite(Guide.Audience.OPERATORS, console, () -> openApi);
    }

    /**
     * A page or a file as it is served.
     *
     * @param policy the Content-Security-Policy of a page, or null
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    public record Document(
            byte[] content, String type, @Nullable String policy) {}

    /** A page, the Markdown of one, or a file that they need; empty if there is none of that name. */
    public Optional<Document> document(String name) {
        String type = FILES.get(name);
        if (type != null) {
            return Optional.of(new Document(Resources.bytes(name.equals("theme.js") ? THEME : name), type, null));
        }
        if (name.equals(SEARCH)) {
            byte[] index = rendered.computeIfAbsent(name, unused -> Json.bytes(sections()));
            return Optional.of(new Document(index, "application/json", null));
        }
        boolean markdown = name.endsWith(".md");
        String page = markdown ? name.substring(0, name.length() - ".md".length()) : name;
        if (page.equals(Guide.CALLS)) {
            Calls calls = calls();
            return Optional.of(markdown ? ofMarkdown(calls.markdown()) : new Document(calls.page(), HTML, POLICY));
        }
        return audience.guides().stream()
                .filter(guide -> guide.pageName().equals(page))
                .findFirst()
                .map(guide -> markdown ? ofMarkdown(markdown(guide)) : new Document(page(guide), HTML, POLICY));
    }

    private static Document ofMarkdown(String text) {
        return new Document(text.getBytes(StandardCharsets.UTF_8), OF_MARKDOWN, null);
    }

    /** A page in Markdown, with links to what is served. */
    public static String markdown(Guide guide) {
        return MARKDOWN.render(parsed(guide));
    }

    /** Names of the pages. */
    public List<String> names() {
        return Stream.concat(audience.guides().stream().map(Guide::pageName), Stream.of(Guide.CALLS))
                .toList();
    }

    /** The pages for programs that read text, as <a href="https://llmstxt.org/">llms.txt</a> has them. */
    byte[] llms() {
        String pages = audience.guides().stream()
                .map(guide -> "- [" + guide.label() + "](" + guide.path() + ".md)\n")
                .collect(Collectors.joining("", "", "- [" + Guide.ALL_CALLS + "](" + audience.calls() + ".md)\n"));
        return ("""
                # Millrace

                > Batch data reports over an API: ask for one, follow it, download the file. Paid in credits.

                ## Documentation

                """ + pages + """

                ## API

                - [OpenAPI](/openapi.yaml)
                - [AsyncAPI](/asyncapi.yaml): the Kafka topics
                - [JSON Schemas](/schemas): of their records
                """).getBytes(StandardCharsets.UTF_8);
    }

    private byte[] page(Guide guide) {
        return rendered.computeIfAbsent(guide.pageName(), name -> page(guide.path(), parsed(guide)));
    }

    private Calls calls() {
        byte[] current = openApi.get();
        Calls known = renderedCalls;
        if (known == null || known.openApi() != current) {
            String markdown = CallReference.markdown(current);
            known = new Calls(current, markdown, page(audience.calls(), PARSER.parse(markdown)));
            renderedCalls = known;
        }
        return known;
    }

    private byte[] page(String path, Node document) {
        return Resources.text("page.html")
                .replace("{base}", audience.path())
                .replace("{home}", audience.guides().getFirst().path())
                .replace("{console}", console ? "<a href=\"/console\">Console</a>" : "")
                .replace("{pages}", Guide.links(audience, path))
                .replace("{title}", title(document))
                .replace("{markdown}", path + ".md")
                .replace("{contents}", contents(document))
                .replace("{text}", html(document))
                .getBytes(StandardCharsets.UTF_8);
    }

    /** Tables scroll by themselves, also with the keyboard, and a column without a name has no header. */
    private static String html(Node document) {
        var tables = new AtomicInteger();
        String html =
                RENDERER.render(document).replace("<th></th>", "<td></td>").replace("</table>", "</table></div>");
        return Pattern.compile("<table>", Pattern.LITERAL)
                .matcher(html)
                .replaceAll(table -> "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"Table "
                        + tables.incrementAndGet() + "\"><table>");
    }

    private static Node parsed(Guide guide) {
        Node document = PARSER.parse(guide.markdown());
        document.accept(new ServedLinks(guide));
        return document;
    }

    /** Links to the parts of a page, as HTML; empty if it has none. */
    private static String contents(Node document) {
        String links = children(document).stream()
                .filter(node -> node instanceof Heading heading && heading.getLevel() == 2)
                .map(heading -> "<a href=\"#" + id(heading) + "\">" + escaped(text(heading)) + "</a>")
                .collect(Collectors.joining("\n"));
        return links.isEmpty()
                ? ""
                : "<nav class=\"contents\" aria-labelledby=\"contents\">\n<p id=\"contents\">On this page</p>\n" + links
                        + "\n</nav>";
    }

    /**
     * A part of a page, for the search.
     *
     * @param heading empty before the first one
     */
    private record Section(String page, String path, String heading, String text) {}

    private List<Section> sections() {
        List<Section> sections = new ArrayList<>();
        audience.guides().forEach(guide -> addSections(guide.label(), guide.path(), parsed(guide), sections));
        addSections(Guide.ALL_CALLS, audience.calls(), PARSER.parse(calls().markdown()), sections);
        return sections;
    }

    private static void addSections(String label, String page, Node document, List<Section> sections) {
        String heading = "";
        String path = page;
        var text = new StringBuilder();
        for (Node node : children(document)) {
            if (node instanceof Heading next && next.getLevel() > 1) {
                sections.add(new Section(label, path, heading, text.toString()));
                heading = text(next);
                path = page + "#" + id(next);
                text.setLength(0);
            } else if (!(node instanceof Heading)) {
                text.append(text(node)).append(' ');
            }
        }
        sections.add(new Section(label, path, heading, text.toString()));
    }

    private static List<Node> children(Node node) {
        List<Node> children = new ArrayList<>();
        for (Node child = node.getFirstChild(); child != null; child = child.getNext()) {
            children.add(child);
        }
        return children;
    }

    /** So that links of other pages lead to it, as they do in the repository. */
    private static void nameHeading(Node node, String tag, Map<String, String> attributes) {
        if (node instanceof Heading) {
            attributes.put("id", id(node));
        }
    }

    private static String id(Node heading) {
        return id(text(heading));
    }

    /** What a heading of these words is named, as links to it say. */
    static String id(String heading) {
        String words = heading.toLowerCase(Locale.ROOT).replaceAll("[^\\p{L}\\p{N} _-]", "");
        return words.replace(' ', '-');
    }

    private static String title(Node document) {
        return Optional.ofNullable(document.getFirstChild())
                .filter(Heading.class::isInstance)
                .map(heading -> escaped(text(heading)))
                .orElseThrow(() -> new IllegalStateException("a guide begins with a heading"));
    }

    /** Its words, without marks and addresses. */
    private static String text(Node node) {
        var text = new StringBuilder();
        node.accept(new AbstractVisitor() {
            @Override
            public void visit(Text words) {
                text.append(words.getLiteral());
            }

            @Override
            public void visit(Code code) {
                text.append(code.getLiteral());
            }

            @Override
            public void visit(FencedCodeBlock code) {
                text.append(code.getLiteral());
            }

            @Override
            public void visit(SoftLineBreak end) {
                text.append(' ');
            }

            @Override
            public void visit(Paragraph paragraph) {
                visitChildren(paragraph);
                text.append(' ');
            }

            @Override
            public void visit(CustomNode cell) {
                visitChildren(cell);
                text.append(' ');
            }
        });
        return text.toString().strip();
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;");
    }
}
