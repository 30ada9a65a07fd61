package millrace.e2e.console;

import com.deque.html.axecore.playwright.AxeBuilder;
import com.deque.html.axecore.results.Rule;
import com.google.gson.JsonObject;
import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.options.ColorScheme;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

/** The Chromium of this machine, without a window. What goes wrong in its pages is collected. */
final class ConsoleBrowser implements AutoCloseable {
    /** Leads to this machine, and is not one of its own names: without TLS its pages are no secure context. */
    static final String WITHOUT_TLS = "console.test";

    private static final List<String> NAMES = List.of("chromium", "chromium-browser", "google-chrome");

    /** Collects what the console must never cause: refusals of its own policy, and elements that move by themselves. */
    private static final String OBSERVER = """
            window.observed = {shifts: [], violations: []};
            document.addEventListener('securitypolicyviolation', (e) =>
              window.observed.violations.push(e.violatedDirective + ' ' + e.blockedURI + ' ' + e.sample));
            new PerformanceObserver((list) => list.getEntries().filter((e) => !e.hadRecentInput).forEach((e) =>
              window.observed.shifts.push(e.value + ' ' + e.sources.map((s) =>
                [s.node?.nodeName, s.node?.className, s.node?.data, ...[s.previousRect, s.currentRect].map((r) => '(' + r.x + ', ' + r.y + ')')].join(' ')))))
              .observe({type: 'layout-shift', buffered: true});
            """;

    private final Playwright playwright;
    private final Browser browser;
    private final List<String> errors = new CopyOnWriteArrayList<>();

    private ConsoleBrowser(Playwright playwright, Browser browser) {
        this.playwright = playwright;
        this.browser = browser;
    }

    /** Its program; empty where this machine has none. */
    static Optional<Path> installed() {
        return NAMES.stream().flatMap(name -> program(name).stream()).findFirst();
    }

    /** A command of this machine; empty where it has none of that name. */
    static Optional<Path> program(String name) {
        String path = System.getenv().getOrDefault("PATH", "");
        return Arrays.stream(path.split(File.pathSeparator, -1))
                .map(folder -> Path.of(folder, name))
                .filter(Files::isExecutable)
                .findFirst();
    }

    static ConsoleBrowser launch(Path program) {
        // The driver would fetch browsers of its own otherwise.
        var playwright = Playwright.create(
                new Playwright.CreateOptions().setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
        Browser browser = playwright
                .chromium()
                .launch(new BrowserType.LaunchOptions()
                        .setExecutablePath(program)
                        .setArgs(List.of(
                                "--disable-gpu",
                                "--disable-dev-shm-usage",
                                "--host-resolver-rules=MAP " + WITHOUT_TLS + " 127.0.0.1")));
        return new ConsoleBrowser(playwright, browser);
    }

    /** A page with storage of its own. */
    Page page(ColorScheme scheme, int width) {
        return page(scheme, width, false);
    }

    /** @param bypassPolicy so that the scripts of a test can run in the page */
    Page page(ColorScheme scheme, int width, boolean bypassPolicy) {
        BrowserContext context = browser.newContext(new Browser.NewContextOptions()
                .setColorScheme(scheme)
                .setViewportSize(width, 900)
                .setBypassCSP(bypassPolicy));
        context.addInitScript(OBSERVER);
        Page page = context.newPage();
        page.onPageError(errors::add);
        return page;
    }

    /** How long each request of the page waits, from now on. */
    static void latency(Page page, int millis) {
        var conditions = new JsonObject();
        conditions.addProperty("offline", false);
        conditions.addProperty("latency", millis);
        conditions.addProperty("downloadThroughput", -1);
        conditions.addProperty("uploadThroughput", -1);
        page.context().newCDPSession(page).send("Network.emulateNetworkConditions", conditions);
    }

    /** Scripts that ended with an error, in any page so far. */
    List<String> errors() {
        return errors;
    }

    /** What its policy refused, in sentences of the browser. */
    static List<String> violations(Page page) {
        return observed(page, "violations");
    }

    /** What moved though nobody had touched the page. */
    static List<String> shifts(Page page) {
        return observed(page, "shifts");
    }

    private static List<String> observed(Page page, String what) {
        return Stream.of(page.evaluate("JSON.stringify(window.observed." + what + ", null, 1)"))
                .map(String::valueOf)
                .filter(text -> !text.equals("[]"))
                .toList();
    }

    /** What axe finds wrong with the page as it is now. */
    static List<String> accessibility(Page page) {
        return new AxeBuilder(page)
                .analyze().getViolations().stream().map(ConsoleBrowser::told).toList();
    }

    private static String told(Rule rule) {
        return rule.getId() + ": " + rule.getHelp() + " " + rule.getNodes();
    }

    @Override
    public void close() {
        browser.close();
        playwright.close();
    }
}
