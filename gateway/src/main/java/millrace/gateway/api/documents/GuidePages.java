package millrace.gateway.api.documents;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.commonmark.Extension;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.node.Heading;
import org.commonmark.node.Node;
import org.commonmark.parser.Parser;
import org.commonmark.renderer.html.HtmlRenderer;
import org.commonmark.renderer.text.TextContentRenderer;

/** Renders the guides as HTML, each when it is first asked for. Safe for use by many threads. */
final class GuidePages {
    private static final List<Extension> EXTENSIONS = List.of(TablesExtension.create());
    private static final Parser PARSER = Parser.builder().extensions(EXTENSIONS).build();
    private static final HtmlRenderer RENDERER = HtmlRenderer.builder()
            .extensions(EXTENSIONS)
            .escapeHtml(true)
            .attributeProviderFactory(context -> GuidePages::nameHeading)
            .build();

    /** The marks of a generated part. */
    private static final Pattern COMMENT = Pattern.compile("<!--.*?-->\n");

    private final Map<Guide, byte[]> pages = new ConcurrentHashMap<>();

    byte[] page(Guide guide) {
        return pages.computeIfAbsent(guide, GuidePages::rendered);
    }

    /** The page to try the API. */
    static byte[] apiPage() {
        return Resources.text("api.html")
                .replace("{pages}", Guide.links(Guide.API))
                .getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] rendered(Guide guide) {
        Node document =
                PARSER.parse(COMMENT.matcher(Resources.text(guide.file())).replaceAll(""));
        document.accept(new ServedLinks(guide.file()));
        return Resources.text("page.html")
                .replace("{title}", title(document))
                .replace("{pages}", Guide.links(guide.path()))
                .replace("{text}", RENDERER.render(document))
                .getBytes(StandardCharsets.UTF_8);
    }

    /** So that links of other pages lead to it, as they do in the repository. */
    private static void nameHeading(Node node, String tag, Map<String, String> attributes) {
        if (node instanceof Heading heading) {
            String words = text(heading).toLowerCase(Locale.ROOT).replaceAll("[^\\p{L}\\p{N} _-]", "");
            attributes.put("id", words.replace(' ', '-'));
        }
    }

    private static String title(Node document) {
        if (document.getFirstChild() instanceof Heading heading) {
            return text(heading);
        }
        throw new IllegalStateException("a guide begins with a heading");
    }

    private static String text(Heading heading) {
        return TextContentRenderer.builder().build().render(heading).strip();
    }
}
