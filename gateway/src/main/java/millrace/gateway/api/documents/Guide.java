package millrace.gateway.api.documents;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** A page of the repository's documentation that is served to customers, who do not see the repository. */
enum Guide {
    REQUESTS("guides/requests.md", "Requests"),
    WEBHOOKS("guides/webhooks.md", "Webhooks"),
    ERRORS("reference/errors.md", "Errors"),
    COMPATIBILITY("reference/compatibility.md", "Compatibility"),
    TOPICS("reference/topics.md", "Topics");

    /** The page to try the API. */
    static final String API = "/docs";

    private final String file;
    private final String label;

    Guide(String file, String label) {
        this.file = file;
        this.label = label;
    }

    static Optional<Guide> named(String name) {
        return Arrays.stream(values())
                .filter(guide -> guide.path().equals(path(name)))
                .findFirst();
    }

    static Optional<Guide> of(String file) {
        return Arrays.stream(values()).filter(guide -> guide.file.equals(file)).findFirst();
    }

    static List<String> names() {
        return Arrays.stream(values())
                .map(guide -> guide.path().substring(path("").length()))
                .toList();
    }

    /** Relative to the folder of the documentation. */
    String file() {
        return file;
    }

    String path() {
        return path(label.toLowerCase(Locale.ROOT));
    }

    /** Links to all pages, as HTML. */
    static String links(String currentPath) {
        String guides = Arrays.stream(values())
                .map(guide -> link(guide.path(), guide.label, currentPath))
                .collect(Collectors.joining("\n"));
        return link(API, "API", currentPath) + "\n" + guides;
    }

    private static String link(String path, String label, String currentPath) {
        String current = path.equals(currentPath) ? " aria-current=\"page\"" : "";
        return "<a href=\"" + path + "\"" + current + ">" + label + "</a>";
    }

    private static String path(String name) {
        return API + "/" + name;
    }
}
