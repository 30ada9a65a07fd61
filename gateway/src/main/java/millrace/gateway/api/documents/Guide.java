package millrace.gateway.api.documents;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** A page of the repository's documentation that is served to those who do not see the repository. */
public enum Guide {
    REQUESTS(Audience.CLIENTS, "Reports", "requests", "guides/requests.md", "Asking for reports"),
    API(Audience.CLIENTS, "Reports", "api", "reference/api.md", "Rules of the API"),
    WEBHOOKS(Audience.CLIENTS, "Reports", "webhooks", "guides/webhooks.md", "Webhooks"),
    STATEMENTS(Audience.CLIENTS, "Reports", "statements", "reference/statements.md", "Statements"),
    ERRORS(Audience.CLIENTS, "Reports", "errors", "reference/errors.md", "Errors"),
    AGENTS(Audience.CLIENTS, "Programs", "agents", "guides/agents.md", "Agents"),
    LIBRARIES(Audience.CLIENTS, "Programs", "libraries", "guides/libraries.md", "Libraries"),
    COMMAND_LINE(Audience.CLIENTS, "Programs", "command-line", "guides/command-line.md", "Command line"),
    COMMANDS(Audience.CLIENTS, "Programs", "commands", "reference/cli.md", "Commands"),
    TOPICS(Audience.CLIENTS, "More", "topics", "reference/topics.md", "Kafka topics"),
    COMPATIBILITY(Audience.CLIENTS, "More", "compatibility", "reference/compatibility.md", "Moving from the original"),

    OPERATION(Audience.OPERATORS, "Running", "operation", "operations.md", "Operation"),
    SEVERAL_MACHINES(
            Audience.OPERATORS, "Running", "several-machines", "guides/several-machines.md", "Several machines"),
    SECURE_CONNECTIONS(
            Audience.OPERATORS, "Running", "secure-connections", "guides/secure-connections.md", "Secure connections"),
    TROUBLESHOOTING(Audience.OPERATORS, "Running", "troubleshooting", "troubleshooting.md", "Troubleshooting"),
    ACCOUNTS(Audience.OPERATORS, "Customers", "accounts", "guides/accounts.md", "Accounts"),
    CONSOLE(Audience.OPERATORS, "Customers", "consoles", "guides/console.md", "Consoles"),
    YOUR_OWN_DATA(Audience.OPERATORS, "Data", "your-own-data", "guides/your-own-data.md", "Your own data"),
    A_DATASET_OF_YOUR_OWN(
            Audience.OPERATORS, "Data", "datasets", "guides/a-dataset-of-your-own.md", "A dataset of your own"),
    OTHER_ENGINES(Audience.OPERATORS, "Data", "engines", "guides/other-engines.md", "Other engines"),
    ANALYTICS(Audience.OPERATORS, "Data", "analytics", "guides/analytics.md", "Analytics"),
    SETTINGS(Audience.OPERATORS, "Reference", "settings", "reference/settings.md", "Settings"),
    METRICS(Audience.OPERATORS, "Reference", "metrics", "reference/metrics.md", "Metrics"),
    SIZING(Audience.OPERATORS, "Reference", "sizing", "reference/sizing.md", "Sizing"),
    KAFKA(Audience.OPERATORS, "Reference", "kafka", "reference/kafka.md", "Kafka"),
    MEMORY(Audience.OPERATORS, "Reference", "memory", "reference/memory.md", "Memory"),
    SECURITY(Audience.OPERATORS, "Reference", "security", "security.md", "Security");

    /** For whom pages are, each on a port of its own. */
    public enum Audience {
        CLIENTS("/docs"),
        OPERATORS("/handbook");

        private final String path;

        Audience(String path) {
            this.path = path;
        }

        String path() {
            return path;
        }

        /** The path of the page with each call. */
        String calls() {
            return path + "/" + CALLS;
        }

        public List<Guide> guides() {
            return Arrays.stream(Guide.values())
                    .filter(guide -> guide.audience == this)
                    .toList();
        }
    }

    /** The marks of a generated part. */
    private static final Pattern COMMENT = Pattern.compile("<!--.*?-->\n");

    /** The page with each call of the API, which is made from its OpenAPI document. */
    static final String CALLS = "calls";

    static final String ALL_CALLS = "All calls";

    private final Audience audience;
    private final String group;
    private final String name;
    private final String file;
    private final String label;

    Guide(Audience audience, String group, String name, String file, String label) {
        this.audience = audience;
        this.group = group;
        this.name = name;
        this.file = file;
        this.label = label;
    }

    /** The page of a file for an audience, if it has one. */
    static Optional<Guide> of(String file, Audience audience) {
        return audience.guides().stream()
                .filter(guide -> guide.file.equals(file))
                .findFirst();
    }

    Audience audience() {
        return audience;
    }

    /** As it stands in the path. */
    String pageName() {
        return name;
    }

    public String label() {
        return label;
    }

    /** Relative to the folder of the documentation. */
    String file() {
        return file;
    }

    public String path() {
        return audience.path + "/" + name;
    }

    /** Its text in Markdown, as it is in the repository. */
    public String markdown() {
        return COMMENT.matcher(Resources.text(file)).replaceAll("");
    }

    /** Links to all pages for an audience, by group, as HTML. */
    static String links(Audience audience, String currentPath) {
        Map<String, List<Guide>> groups = audience.guides().stream()
                .collect(Collectors.groupingBy(guide -> guide.group, LinkedHashMap::new, Collectors.toList()));
        String pages = groups.entrySet().stream()
                .map(group -> "<p>" + group.getKey() + "</p>\n"
                        + group.getValue().stream()
                                .map(guide -> link(guide.path(), guide.label, currentPath))
                                .collect(Collectors.joining("\n")))
                .collect(Collectors.joining("\n"));
        return pages + "\n" + link(audience.calls(), ALL_CALLS, currentPath);
    }

    private static String link(String path, String label, String currentPath) {
        String current = path.equals(currentPath) ? " aria-current=\"page\"" : "";
        return "<a href=\"" + path + "\"" + current + ">" + label + "</a>";
    }
}
