package millrace.e2e.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.microsoft.playwright.Download;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.assertions.LocatorAssertions;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.Media;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import millrace.contracts.Json;
import millrace.e2e.client.WebhookReceiver;
import millrace.e2e.data.DemoDataFolder;
import millrace.e2e.data.DemoRequests;
import millrace.e2e.process.AdminCommand;
import millrace.e2e.process.BatchApiClient;
import millrace.e2e.process.MillraceProcess;
import millrace.standalone.demo.DemoNames;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The console in the Chromium of this machine, at one Millrace with the demo data. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ConsoleIT {
    private static final int WIDE = 1_440;
    private static final int MILLION = 1_000_000;
    private static final String DOMAIN = DemoNames.domains().getFirst();

    private Path folder;
    private MillraceProcess millrace;
    private ConsoleBrowser browser;

    @BeforeAll
    void start(@TempDir Path folder) throws Exception {
        Optional<Path> chromium = ConsoleBrowser.installed();
        if (chromium.isEmpty()) {
            System.err.println("THE CONSOLE IS NOT TESTED: there is no Chromium here (apt-get install chromium).");
        }
        Assumptions.assumeTrue(chromium.isPresent(), "no Chromium");
        PlaywrightAssertions.setDefaultAssertionTimeout(30_000);
        this.folder = folder;
        millrace = MillraceProcess.start(DemoDataFolder.create(folder), DemoDataFolder.arguments());
        browser = ConsoleBrowser.launch(chromium.get());
    }

    @AfterAll
    void stop() {
        if (browser != null) {
            browser.close();
        }
        if (millrace != null) {
            millrace.close();
        }
    }

    @AfterEach
    void noScriptFailed() {
        assertThat(browser.errors()).isEmpty();
    }

    /**
     * From the address to the file, as somebody who has just got a key; by a name of the network, at which browsers
     * keep from pages what they give to those with TLS.
     */
    @Test
    @Order(1) // nothing is spent yet
    void fromTheFormToTheFile() throws Exception {
        Page page = browser.page(ColorScheme.LIGHT, WIDE);
        page.navigate(millrace.address().replace("127.0.0.1", ConsoleBrowser.WITHOUT_TLS));
        assertThat((Boolean) page.evaluate("isSecureContext")).isFalse();
        signIn(page, "wrong-key");
        assertThat(page.locator(".error")).containsText("must be a valid, active key");
        signIn(page, millrace.batchKey());
        assertThat(heading(page, "Overview")).isVisible();
        assertThat(page.locator(".plot-card")).containsText("Nothing spent yet");

        link(page, "New report").first().click();
        page.locator("input[value=demographics]").check();
        // What moves as late after a click or key as this counts as moving by itself.
        ConsoleBrowser.latency(page, 600);
        Locator domains = page.locator("#list-domains");
        domains.fill(DOMAIN.substring(0, 5));
        page.locator("[role=option]", new Page.LocatorOptions().setHasText(DOMAIN))
                .click();
        domains.fill("no such domain");
        domains.press("Enter");
        assertThat(page.locator("#list-domains-help")).containsText("no such domain");
        assertThat(button(page, "Request the report")).isDisabled();
        button(page, "Remove no such domain").click();
        assertThat(page.locator(".messages")).containsText("The request is valid.");
        assertThat(page.locator("#code-panel")).containsText(DOMAIN);
        assertThat(page.locator("#code-panel")).not().containsText(millrace.batchKey());
        button(page, "Request the report").click();

        assertThat(page.locator(".tile .pill")).hasText("complete");
        assertThat(page.locator(".preview tbody tr").first()).containsText(DOMAIN);
        assertThat(page.locator("m-plot svg .line").first()).isAttached();
        assertThat(page.locator(".timeline li").last()).containsText("complete");
        Download file = page.waitForDownload(() -> link(page, "Download").click());
        List<String> lines = Files.readAllLines(file.path());
        assertThat(lines.getFirst()).startsWith("domain,country,date,age_group,gender,");
        assertThat(lines).hasSizeGreaterThan(1);
        assertThat(lines.get(1)).startsWith(DOMAIN);

        assertThat(page.url()).doesNotContain(millrace.batchKey());
        quiet(page);
    }

    /** The key opens the console until its tab is closed, and no other tab. */
    @Test
    void keepsTheKeyToItsTab() {
        Page page = signedIn(ColorScheme.LIGHT, WIDE, "");
        page.reload();
        assertThat(heading(page, "Overview")).isVisible();
        Page other = page.context().newPage();
        other.navigate(millrace.address() + "/console");
        assertThat(other.getByLabel("Batch key")).isVisible();
        assertThat(page.context().cookies()).isEmpty();
        button(page, "Sign out").click();
        assertThat(page.getByLabel("Batch key")).isVisible();
        assertThat((String) page.evaluate("JSON.stringify(sessionStorage)")).isEqualTo("{}");
        page.context().close();
    }

    /** On the admin port, with the key of the data folder. */
    @Test
    void theOperatorFindsAnAccountAndGrantsCredits() throws Exception {
        Page page = browser.page(ColorScheme.LIGHT, WIDE);
        page.navigate(millrace.adminAddress());
        assertThat(page.getByLabel("Admin key")).isVisible();
        operatorSignsIn(page, millrace.batchKey());
        assertThat(page.locator(".error")).containsText("must be a valid admin key");
        operatorSignsIn(page, adminKey());
        assertThat(heading(page, "Status")).isVisible();
        assertThat(page.locator(".missing")).containsText("Nothing: there is a ready process of each service.");
        assertThat(page.locator("tbody tr")).hasCount(3);

        link(page, "Accounts").first().click();
        page.getByLabel("Search").fill("DEM");
        page.getByRole(AriaRole.LINK, named("demo").setExact(true)).click();
        assertThat(heading(page, "demo")).isVisible();
        button(page, "Grant").click();
        Locator dialog = page.getByRole(AriaRole.DIALOG);
        dialog.getByLabel("Credits").fill("4321");
        dialog.getByLabel("Reason").fill("a test of the console");
        dialog.getByRole(AriaRole.BUTTON, new Locator.GetByRoleOptions().setName("Grant them"))
                .click();
        assertThat(dialog).hasCount(0);
        Locator credits = page.getByRole(AriaRole.REGION, named("Credits").setExact(true));
        assertThat(credits.locator("tr", new Locator.LocatorOptions().setHasText("+4,321")))
                .isVisible();
        Locator audit = page.getByRole(AriaRole.REGION, named("Audit").setExact(true));
        assertThat(audit.locator("tr").nth(1)).containsText("a test of the console");

        button(page, "New key").first().click();
        dialog.getByLabel("Label").fill("made by an operator");
        dialog.getByRole(AriaRole.BUTTON, new Locator.GetByRoleOptions().setName("Make the key"))
                .click();
        assertThat(dialog).containsText("shown this once");
        String key = dialog.locator("pre").textContent();
        assertThat(new BatchApiClient(millrace.address(), key, HttpClient.newHttpClient())
                        .get("/v3/batch/credits")
                        .code())
                .isEqualTo(200);
        button(page, "Done").click();
        button(page, "Revoke made by an operator").click();
        button(page, "Revoke the key").click();
        Locator keys = page.getByRole(AriaRole.REGION, named("Keys").setExact(true));
        assertThat(keys.locator("tr", new Locator.LocatorOptions().setHasText("made by an operator")))
                .containsText("revoked");

        link(page, "Data").click();
        assertThat(page.locator(".card", new Page.LocatorOptions().setHasText("demographics")))
                .containsText("current");
        assertThat(page.url()).doesNotContain(adminKey());
        assertThat(page.context().cookies()).isEmpty();
        quiet(page);
        page.context().close();
    }

    /** A month as a file, and a report that runs with its slices. */
    @Test
    @Tag("thorough") // a large report
    void theOperatorSeesWhatRunsAndWhatWasUsed() throws Exception {
        String ended = api().submit("demographics", DemoRequests.small(3));
        api().ended(ended);
        // Answered when the gateway has read what the balance has.
        assertThat(api().get("/v3/batch/credits/usage").code()).isEqualTo(200);
        Page page = operator(ColorScheme.LIGHT, WIDE, "usage");
        assertThat(page.locator("tbody tr").first()).containsText("demo");
        Download file = page.waitForDownload(() -> button(page, "Save as CSV").click());
        List<String> lines = Files.readAllLines(file.path());
        assertThat(lines.getFirst()).isEqualTo("month,account_id,name,dataset,credits,reports");
        assertThat(lines.get(1)).contains(",demo,");

        String report = api().submit("demographics", DemoRequests.large());
        link(page, "Reports").click();
        page.locator("a.id", new Page.LocatorOptions().setHasText(report.substring(0, 8)))
                .click();
        assertThat(page.locator("tbody tr").first()).isVisible();
        api().ended(report);
        assertThat(page.locator(".tile .pill").first()).hasText("complete");
        assertThat(page.locator("tbody")).containsText("assembly");
        quiet(page);
        page.context().close();
    }

    /** Lists as they come from spreadsheets, mails and other programs. */
    @Test
    void readsListsAsPeoplePasteThem() {
        Page page = browser.page(ColorScheme.LIGHT, WIDE);
        page.navigate(millrace.address() + "/console");
        Map<String, List<String>> domains = Map.of(
                "a.example, b.example;c.example\nd.example",
                List.of("a.example", "b.example", "c.example", "d.example"),
                "domain,rank\nhttps://A.example/x?y=1,1\r\n\"b.example\",2\nb.example,3\n",
                List.of("a.example", "b.example"),
                "rank\tsite\n1\ta.example\n2\tb.example",
                List.of("a.example", "b.example"),
                "\ufeffdomains\n\n a.example \n",
                List.of("a.example"),
                " \n",
                List.of());
        domains.forEach((text, names) ->
                assertThat(parsed(page, text, "domain")).as(text).isEqualTo(names));
        Map<String, List<String>> keywords = Map.of(
                "\"run, fast\"\nRed Shoes\n\"say \"\"hi\"\"\"",
                List.of("run, fast", "Red Shoes", "say \"hi\""),
                "keyword;volume\nred shoes;3\nblue;4",
                List.of("red shoes", "blue"),
                "\"never closed\nb",
                List.of("never closed\nb"));
        keywords.forEach((text, names) ->
                assertThat(parsed(page, text, "keyword")).as(text).isEqualTo(names));
        page.context().close();
    }

    private static Object parsed(Page page, String text, String kind) {
        return page.evaluate(
                "([text, kind]) => import('/console/lib/list.js').then((list) => list.parseList(text, {kind}))"
                        + ".then((found) => found.values)",
                List.of(text, kind));
    }

    /** What millrace would take for a list of more names, a file or an option is given to it as JSON. */
    @Test
    void theCommandNamesEachKeywordAsItIs() {
        Page page = browser.page(ColorScheme.LIGHT, WIDE);
        page.navigate(millrace.address() + "/console");
        String commands = """
                red shoes   | --keywords 'tea,red shoes'
                home@work   | --keywords tea,home@work
                @home       | --set 'keywords=["tea","@home"]'
                -office     | --set 'keywords=["tea","-office"]'
                shoes, red  | --set 'keywords=["tea","shoes, red"]'
                """;
        commands.lines().forEach(line -> {
            String[] cells = line.split(" +\\| ", 2);
            Object command = page.evaluate(
                    "(keyword) => import('/console/lib/code.js').then((code) => code.code('CLI', {origin: 'http://a.example',"
                            + " dataset: 'keywords', field: 'keywords', request: {keywords: ['tea', keyword]}}).text)",
                    cells[0]);
            assertThat(command).asString().contains(" \\\n  " + cells[1] + " \\\n");
        });
        page.context().close();
    }

    @Test
    void aUrlIsSubscribedToNewData() {
        Page page = signedIn(ColorScheme.LIGHT, WIDE, "webhooks");
        Locator urls = page.getByRole(AriaRole.REGION, named("New data"));
        assertThat(urls).containsText("No URL is told of new data");
        button(page, "Subscribe a URL").click();
        Locator dialog = page.getByRole(AriaRole.DIALOG);
        dialog.getByLabel("Webhook URL").fill("ftp://hooks.example.com");
        dialog.getByRole(AriaRole.BUTTON, new Locator.GetByRoleOptions().setName("Subscribe"))
                .click();
        assertThat(dialog).containsText("is neither http nor https");
        dialog.getByLabel("Webhook URL").fill("hooks.example.com/data");
        dialog.getByRole(AriaRole.BUTTON, new Locator.GetByRoleOptions().setName("Subscribe"))
                .click();
        assertThat(urls.locator("tbody tr")).containsText("https://hooks.example.com/data");
        button(page, "End https://hooks.example.com/data").click();
        button(page, "End it").click();
        assertThat(urls).containsText("No URL is told of new data");
        quiet(page);
        page.context().close();
    }

    @ParameterizedTest
    @ValueSource(ints = {375, WIDE})
    void aNewKeyIsShownWholeAndOnce(int width) {
        Page page = signedIn(ColorScheme.LIGHT, width, "keys");
        Locator form = page.locator("main form");
        form.getByLabel("Label").fill("at " + width);
        form.getByLabel("request reports").uncheck();
        form.getByLabel("manage webhooks").uncheck();
        button(page, "Create batch key").click();
        Locator dialog = page.getByRole(AriaRole.DIALOG);
        Locator shown = dialog.locator("pre");
        assertThat(shown).isInViewport(new LocatorAssertions.IsInViewportOptions().setRatio(1));
        String key = shown.textContent().strip();
        var made = new BatchApiClient(millrace.address(), key, HttpClient.newHttpClient());
        assertThat(made.get("/v3/batch/credits").code()).isEqualTo(200);
        assertThat(made.post("/v3/batch/demographics/request-report", DemoRequests.small(1))
                        .code())
                .isEqualTo(403);
        dialog.getByRole(AriaRole.BUTTON, new Locator.GetByRoleOptions().setName("Done"))
                .click();
        assertThat(dialog).hasCount(0);
        Locator row = page.locator("tr", new Page.LocatorOptions().setHasText("at " + width));
        assertThat(row).isVisible();
        assertThat(page.locator("body")).not().containsText(key);
        assertThat((Integer) row.evaluate("row => new Set([...row.parentNode.rows].map((r) => r.offsetHeight)).size"))
                .as("heights of rows: where they differ, a new one moves the others")
                .isEqualTo(1);
        quiet(page);
        page.context().close();
    }

    @Test
    @Tag("thorough") // a report that takes a while
    void showsProgressAsItHappens() {
        Page overview = signedIn(ColorScheme.LIGHT, WIDE, "");
        assertThat(overview.locator(".connection")).hasText("Live");
        // Two take turns: each page asks every three seconds, and sees the second one on its way.
        api().submit("demographics", DemoRequests.largest());
        String report = api().submit("demographics", DemoRequests.largest());
        Page list = signedIn(ColorScheme.LIGHT, WIDE, "reports");
        Page one = signedIn(ColorScheme.LIGHT, WIDE, "reports/" + report);
        String name = report.substring(0, 8);
        Map<Page, Set<String>> seen = Map.of(overview, new TreeSet<>(), list, new TreeSet<>(), one, new TreeSet<>());
        overview.waitForCondition(() -> {
            seen.forEach((page, parts) -> parts.add(String.valueOf(page.locator("[aria-label='Report " + name + "']")
                    .evaluateAll("(bars) => bars.map((bar) => bar.getAttribute('aria-valuenow')).join()"))));
            return seen.values().stream().allMatch(parts -> parts.stream().anyMatch(part -> part.matches("[1-9]\\d*")));
        });
        assertThat(one.locator(".tile .pill")).hasText("complete");
        for (Page page : List.of(overview, list)) {
            assertThat(page.locator("tr", new Page.LocatorOptions().setHasText(name)))
                    .containsText("complete");
        }
        for (Page page : seen.keySet()) {
            quiet(page);
            page.context().close();
        }
    }

    @Test
    @Tag("thorough") // a second start
    void goesOnAfterARestart() throws Exception {
        Page form = signedIn(ColorScheme.LIGHT, WIDE, "new");
        type(form, DOMAIN);
        Page reports = signedIn(ColorScheme.LIGHT, WIDE, "reports");
        assertThat(reports.locator(".connection")).hasText("Live");
        int port = URI.create(millrace.address()).getPort();
        millrace.kill();
        assertThat(reports.locator(".notice")).containsText("does not answer");
        type(form, "typed.example");
        millrace = MillraceProcess.start(folder, DemoDataFolder.arguments("--port=" + port));
        assertThat(reports.locator(".connection")).hasText("Live");
        assertThat(reports.locator(".notice")).hasCount(0);
        String report = api().submit("demographics", DemoRequests.small(1));
        assertThat(reports.getByRole(AriaRole.BUTTON, named("Show 1 newer report")))
                .isVisible();
        reports.getByRole(AriaRole.BUTTON, named("Show 1 newer report")).click();
        assertThat(reports.locator("tr", new Page.LocatorOptions().setHasText(report.substring(0, 8))))
                .containsText("complete");
        assertThat(form.locator(".tag")).containsText(new String[] {DOMAIN, "typed.example"});
        form.getByRole(AriaRole.BUTTON, named("Remove typed.example")).click();
        assertThat(form.locator(".messages")).containsText("The request is valid.");
    }

    @Test
    @Tag("thorough")
    void aRevokedKeyLosesNothing() {
        var made = api().post("/v3/batch/keys", "{\"label\":\"of a test\",\"scopes\":[\"read\",\"request\"]}");
        assertThat(made.code()).as("%s", made.body()).isEqualTo(201);
        Page page = browser.page(ColorScheme.LIGHT, WIDE);
        page.navigate(millrace.address() + "/console#/new");
        signIn(page, made.text("key"));
        type(page, DOMAIN);
        Page keys = signedIn(ColorScheme.LIGHT, WIDE, "keys");
        assertThat(keys.locator("tr", new Page.LocatorOptions().setHasText("of a test")))
                .containsText("read, request");
        button(keys, "Revoke of a test").click();
        button(keys, "Revoke key").click();
        assertThat(keys.locator("tr", new Page.LocatorOptions().setHasText("of a test")))
                .containsText("revoked");
        type(page, "typed.example");
        Locator dialog = page.getByRole(AriaRole.DIALOG);
        assertThat(dialog).containsText("The key does not work any more");
        dialog.getByLabel("Batch key").fill(millrace.batchKey());
        dialog.getByRole(AriaRole.BUTTON, new Locator.GetByRoleOptions().setName("Continue"))
                .click();
        assertThat(dialog).hasCount(0);
        assertThat(page.locator(".tag")).containsText(new String[] {DOMAIN, "typed.example"});
    }

    /** They go from the form to the page of the report and the history, and back into a form that asks again. */
    @Test
    @Tag("thorough")
    void aReportHasANameARetentionAndTheNewestPeriod() {
        Page page = signedIn(ColorScheme.LIGHT, WIDE, "new?dataset=demographics");
        type(page, DOMAIN);
        page.getByLabel("Up to the newest period").check();
        assertThat(page.getByLabel("To (included)")).hasCount(0);
        page.getByLabel("Report name").fill("of a form");
        page.getByLabel("Keep the file").selectOption("60");
        page.getByLabel("Rows to leave out").fill("-1");
        assertThat(page.locator(".messages")).containsText("Rows to leave out: -1 is out of range");
        assertThat(page.locator("#of-offset-help")).containsText("-1 is out of range");
        page.getByLabel("Rows to leave out").fill("1");
        assertThat(page.locator(".messages")).containsText("The request is valid.");
        button(page, "Request the report").click();
        assertThat(page.locator(".tile .pill")).hasText("complete");
        String report = page.url().replaceAll(".*/", "");
        JsonNode request = api().get("/v3/batch/request-query/" + report).body();
        assertThat(request.path("report_name").asText()).isEqualTo("of a form");
        assertThat(request.path("retention_days").asInt()).isEqualTo(60);
        assertThat(request.path("offset").asInt()).isEqualTo(1);
        assertThat(request.path("end_date").asText()).isEqualTo("2026-10");
        assertThat(page.locator(".facts")).containsText("of a form");
        link(page, "Run again").first().click();
        assertThat(page.getByLabel("Report name")).hasValue("of a form");
        assertThat(page.getByLabel("Keep the file")).hasValue("60");
        assertThat(page.getByLabel("Rows to leave out")).hasValue("1");
        assertThat(heading(page, "New report")).isVisible();
        page.navigate(millrace.address() + "/console#/reports/" + report);
        assertThat(page.locator("main h1")).containsText("of a form");
        page.navigate(millrace.address() + "/console#/reports");
        assertThat(link(page, "of a form")).hasAttribute("href", "#/reports/" + report);
        quiet(page);
        page.context().close();
    }

    /** Nobody is blamed for what is empty still; what is wrong stands beside its field, as the form calls it. */
    @Test
    void theFormSaysWhatIsWrongWhereItIsWrong() {
        Page page = signedIn(ColorScheme.LIGHT, WIDE, "new?dataset=demographics");
        assertThat(page.locator(".messages")).hasText("Still to fill in: Domains.");
        assertThat(page.locator(".error, .bad, [aria-invalid=true]")).hasCount(0);
        // As somebody who chooses with the keyboard: fields that come then may move others.
        page.getByLabel("Range").press("ArrowDown");
        Locator periods = page.getByLabel("Last", new Page.GetByLabelOptions().setExact(true));
        periods.fill("0");
        assertThat(periods).hasAttribute("aria-invalid", "true");
        periods.fill("2");
        page.locator("#of-limit").fill("many");
        assertThat(page.locator("#of-limit-help .error")).hasText("Max rows must be a whole number");
        assertThat(page.locator("#of-limit")).hasAttribute("aria-invalid", "true");
        assertThat(page.locator("#list-domains-help .error")).hasCount(0);
        assertThat(button(page, "Request the report")).isDisabled();
        page.locator("#of-limit").fill("");
        page.getByLabel("Webhook URL").fill("ftp://hooks.example.com");
        assertThat(page.locator("#of-webhook_url-help .error")).containsText("is neither http nor https");
        page.getByLabel("Webhook URL").fill("");
        assertThat(page.locator(".messages")).hasText("Still to fill in: Domains.");
        button(page, "Request the report").click();
        assertThat(page.locator("#list-domains-help .error")).hasText("Domains: nothing is chosen or typed.");
        assertThat(page.locator("#list-domains")).isFocused();
        assertThat(button(page, "Request the report")).isDisabled();
        type(page, DOMAIN);
        assertThat(page.locator(".messages")).containsText("The request is valid.");
        assertThat(page.locator("main .form > .stack")).not().containsText(Pattern.compile("webhook_url|max_credits"));
        page.getByLabel("Tags").fill("Team=seo");
        assertThat(page.locator("#of-tags-help .error")).containsText("Tags");
        page.getByLabel("Tags").fill("team=seo\nclient=ACME, Inc.");
        assertThat(page.locator(".messages")).containsText("The request is valid.");
        assertThat(page.locator("#code-panel")).containsText("\"window_size\": \"2m\"");
        assertThat(page.locator("#code-panel")).containsText("{\"team\":\"seo\", \"client\":\"ACME, Inc.\"}");
        quiet(page);
        page.context().close();
    }

    @Test
    void aKeyThatOnlyReadsIsToldSo() {
        String report = api().submit("demographics", DemoRequests.small(4));
        api().ended(report);
        api().post("/v3/batch/cancel/" + api().submit("demographics", DemoRequests.large()), "");
        var made = api().post("/v3/batch/keys", "{\"label\":\"a reader\",\"scopes\":[\"read\"]}");
        Page page = browser.page(ColorScheme.LIGHT, WIDE);
        page.navigate(millrace.address() + "/console#/new");
        signIn(page, made.text("key"));
        assertThat(page.locator(".who")).containsText("Demo");
        assertThat(page.locator(".who")).containsText("key: read");
        Locator reason = page.locator(".barred");
        assertThat(reason).containsText("may not request, retry, cancel or erase reports");
        type(page, DOMAIN);
        assertThat(page.locator(".messages")).containsText("The request is valid.");
        assertThat(button(page, "Request the report")).isDisabled();
        link(page, "Reports").first().click();
        assertThat(reason).containsText("a key with the scope request");
        assertThat(page.locator("tbody")).containsText("cancelled");
        assertThat(button(page, "Retry")).hasCount(0);
        assertThat(link(page, "Run again")).hasCount(0);
        assertThat(link(page, "Download").first()).isVisible();
        page.navigate(millrace.address() + "/console#/reports/" + report);
        assertThat(page.locator(".tile .pill")).hasText("complete");
        assertThat(link(page, "Run again")).hasCount(0);
        assertThat(button(page, "Erase")).isDisabled();
        link(page, "Webhooks").first().click();
        assertThat(reason).containsText("may not change or test webhooks");
        assertThat(button(page, "Send test event")).isDisabled();
        assertThat(button(page, "Subscribe a URL")).isDisabled();
        link(page, "Keys").first().click();
        assertThat(reason).containsText("with a key that has all scopes");
        assertThat(button(page, "Create batch key")).isDisabled();
        assertThat(button(page, "Revoke a reader")).isDisabled();
        quiet(page);
        page.context().close();
    }

    /** Where it is shown; also by keys, and on a page without TLS, which browsers give no clipboard. */
    @Test
    void aShortIdIsCopiedAndFound() throws Exception {
        String report = api().submit("demographics", DemoRequests.small(1));
        api().ended(report);
        String other = api().submit("demographics", DemoRequests.small(2));
        api().ended(other);
        String first = report.substring(0, 8);
        Page page = browser.page(ColorScheme.LIGHT, WIDE);
        page.navigate(millrace.address().replace("127.0.0.1", ConsoleBrowser.WITHOUT_TLS) + "/console#/reports");
        signIn(page, millrace.batchKey());
        button(page, "Copy the id " + first).press("Enter");
        assertThat(page.locator(".toast")).hasText("Copied " + report);
        Locator search = page.getByLabel("Report id");
        search.press("Control+V");
        assertThat(search).hasValue(report);
        search.fill(first.substring(0, 7));
        search.press("Enter");
        assertThat(page.locator(".filters")).containsText("at least the first 8 characters");
        search.fill("ffffffff");
        search.press("Enter");
        assertThat(page.locator("main")).containsText("an id that begins with ffffffff");
        search.fill(" " + first.toUpperCase(Locale.ROOT));
        search.press("Enter");
        assertThat(page).hasURL(Pattern.compile(".*#/reports/" + report));
        assertThat(page.locator(".tile .pill")).hasText("complete");

        // No two reports of a test begin alike.
        String both = api().get("/v3/batch/report-history?limit=2").response().body();
        page.route(
                "**/report-history?*id_prefix*",
                route -> route.fulfill(new Route.FulfillOptions()
                        .setContentType("application/json")
                        .setBody(both.replaceFirst("\"next_cursor\":\"[^\"]*\"", "\"next_cursor\":null"))));
        page.evaluate("location.hash = '/reports/" + first + "'");
        assertThat(page.locator(".found")).containsText("2 reports have ids that begin with " + first);
        assertThat(page.locator("tbody tr")).hasCount(2);
        page.unroute("**/report-history?*id_prefix*");
        page.evaluate("location.hash = '/reports/00000000-0000-0000-0000-000000000000'");
        assertThat(page.locator("main")).containsText("This account has no report with this id.");
        quiet(page);
        page.context().close();

        Page operator = operator(ColorScheme.LIGHT, WIDE, "reports");
        operator.getByLabel("Report id").fill(other.substring(0, 8));
        button(operator, "Show").click();
        assertThat(operator).hasURL(Pattern.compile(".*#/reports/" + other));
        assertThat(operator.locator(".tile .pill").first()).hasText("complete");
        operator.evaluate("location.hash = '/reports/00000000-0000-0000-0000-000000000000'");
        assertThat(operator.locator("main")).containsText("No account has a report with this id.");
        quiet(operator);
        operator.context().close();
    }

    /** Its buyer is told what to do, what became of the credits and who has heard of it; the operator the cause. */
    @ParameterizedTest
    @ValueSource(ints = {375, WIDE})
    void aFailedReportSaysWhy(int width) throws Exception {
        try (WebhookReceiver receiver = WebhookReceiver.start()) {
            String report = failed(receiver.url(), "of a shop");
            await().until(() -> receiver.of(report).size() == 2);
            Page page = signedIn(ColorScheme.LIGHT, width, "reports/" + report);
            Locator why = page.getByRole(AriaRole.REGION, named("Why it has no file"));
            assertThat(why).containsText("The data could not be read.");
            assertThat(why).containsText("dataset_unavailable");
            assertThat(why).containsText("Retry it in some minutes.");
            assertThat(why).containsText("that were reserved were returned; nothing was charged.");
            assertThat(why).containsText(receiver.url());
            assertThat(link(page, "was told")).isVisible();
            assertThat(button(page, "Retry")).isVisible();
            assertThat(page.locator(".empty")).hasCount(0);
            quiet(page);
            page.context().close();

            Page operator = operator(ColorScheme.LIGHT, width, "reports");
            operator.getByLabel("State").selectOption("failed");
            // The reports that run are asked for every three seconds; what is chosen stays.
            operator.waitForResponse("**/admin/v1/reports?**", () -> {});
            operator.waitForResponse("**/admin/v1/reports?**", () -> {});
            assertThat(operator.getByLabel("State")).hasValue("failed");
            operator.getByLabel("Account").fill("demo");
            operator.getByLabel("From")
                    .fill(LocalDate.now(ZoneOffset.UTC).minusDays(1).toString());
            button(operator, "Show").click();
            Locator row = operator.locator("tr", new Page.LocatorOptions().setHasText(report.substring(0, 8)));
            assertThat(row).containsText("failed");
            assertThat(row).containsText("cannot be read");
            row.getByRole(AriaRole.LINK, new Locator.GetByRoleOptions().setName("of a shop"))
                    .click();
            assertThat(operator.getByLabel("The cause")).containsText("version unreadable of dataset site_keywords");
            assertThat(operator.locator("main h1")).containsText("of a shop");
            Locator told = operator.getByRole(AriaRole.REGION, named("Webhook"));
            assertThat(told.locator("tbody tr")).hasCount(2);
            assertThat(told.locator("tbody tr").first()).containsText("delivered");
            assertThat(told.locator("tbody tr").first()).containsText("200");
            quiet(operator);
            operator.context().close();
        }
    }

    /** A report of data that cannot be read, which others can be read of again when it has failed. */
    private String failed(String webhook, String name) throws Exception {
        Path data = folder.resolve("warehouse/site_keywords");
        String current = Files.readString(data.resolve("current"));
        Files.writeString(data.resolve("unreadable.duckdb"), "no database");
        try {
            announce(data, "unreadable");
            String request = """
                    {"domains":["%s"],"countries":["US"],"metrics":["desktop_keywords_total_visits"],"start_date":"2026-10-05",
                     "end_date":"2026-10-26","granularity":"weekly","report_name":"%s","webhook_url":"%s"}""".formatted(DOMAIN, name, webhook);
            // A processor sees a moment later that another version is current.
            return await().pollInSameThread()
                    .pollInterval(Duration.ofSeconds(1))
                    .until(() -> api().ended(api().submit("site_keywords", request)), ended -> ended.body()
                            .path("error")
                            .path("code")
                            .asText()
                            .equals("dataset_unavailable"))
                    .text("report_id");
        } finally {
            announce(data, current);
        }
    }

    private static void announce(Path data, String version) throws IOException {
        Path next = Files.writeString(data.resolve("next"), version);
        Files.move(next, data.resolve("current"), StandardCopyOption.ATOMIC_MOVE);
    }

    @Test
    void aReportIsErasedWhenItsReaderAgrees() {
        String stays = api().submit("demographics", DemoRequests.small(5));
        String report = api().submit("demographics", DemoRequests.small(6));
        api().ended(stays);
        api().ended(report);
        Page page = signedIn(ColorScheme.LIGHT, WIDE, "reports/" + report);
        button(page, "Erase").click();
        assertThat(page.getByRole(AriaRole.DIALOG)).containsText("Its credits are not given back.");
        button(page, "Go back").click();
        assertThat(page.getByRole(AriaRole.DIALOG)).hasCount(0);
        assertThat(api().status(report).code()).isEqualTo(200);
        button(page, "Erase").click();
        button(page, "Erase report").click();
        assertThat(page.locator(".toast")).hasText("Report erased.");
        assertThat(page).hasURL(Pattern.compile(".*#/reports"));
        assertThat(page.locator("tbody")).containsText(stays.substring(0, 8));
        assertThat(page.locator("tbody")).not().containsText(report.substring(0, 8));
        assertThat(api().status(report).code()).isEqualTo(404);
        page.evaluate("location.hash = '/reports/" + report + "'");
        assertThat(page.locator("main")).containsText("This account has no report with this id.");
        quiet(page);
        page.context().close();
    }

    /** Of an account whose webhooks nobody has set up, and then of one whose URL waits for new data. */
    @Test
    void saysWhatToDoWhenNoWebhookWasSent() throws Exception {
        var admin = new AdminCommand(folder, folder);
        admin.typed("create silent --name Silent --countries US --from 2025-01-01 --to 2026-12-31");
        String key = admin.typed("issue-key silent batch").path("key").asText();
        var silent = new BatchApiClient(millrace.address(), key, HttpClient.newHttpClient());
        await().until(() -> silent.get("/v3/batch/credits").code() == 200);
        Page page = browser.page(ColorScheme.LIGHT, WIDE);
        page.navigate(millrace.address() + "/console");
        signIn(page, key);
        Locator health = page.locator(".health");
        assertThat(health).containsText("Or subscribe a URL to new data.");
        link(page, "Set up a webhook").click();
        assertThat(page.locator("main")).containsText("Hosts are listed while events for them are kept.");
        assertThat(page.locator("main")).containsText("of new data for subscribed URLs");
        silent.post("/v3/batch/webhooks/subscriptions", """
                {"webhook_url":"https://hooks.example.com/data","event_types":["data_version_available"]}""");
        link(page, "Overview").click();
        assertThat(health).containsText("1 URL is told when there are new data.");
        assertThat(link(page, "Test a receiver")).isVisible();
        quiet(page);
        page.context().close();
    }

    /** Of the vectors, since no month of this Millrace has ended. */
    @Test
    void aStatementIsShownSavedAndPrinted() throws Exception {
        String[] signed = Files.readString(Path.of("../docs/reference/statements.md"))
                .split("<!-- vector: statements -->\n\n```json\n", -1)[1]
                .split("\n", -1);
        JsonNode statement = Json.MAPPER.readTree(signed[0]).path("statement");
        Page page = signedIn(ColorScheme.LIGHT, WIDE, "new");
        answered(page, "**/credits/statements", "{\"statements\":[" + statement + "]}");
        answered(page, "**/credits/statements/2026-10?*", signed[0]);
        answered(page, "**/credits/statements/2026-10", signed[0]);
        page.evaluate("location.hash = '/credits'");
        link(page, "2026-10").click();
        assertThat(heading(page, "Statement of 2026-10")).isVisible();
        assertThat(page.locator("main")).containsText("Credits of acme in 2026-10");
        assertThat(page.locator("main")).containsText("team = büro");
        assertThat(page.locator(".proof"))
                .containsText(statement.path("entries_sha256").asText());
        Download file = page.waitForDownload(() -> button(page, "Download JSON").click());
        assertThat(Files.readString(file.path())).isEqualTo(signed[0]);
        page.emulateMedia(new Page.EmulateMediaOptions().setMedia(Media.PRINT));
        assertThat(page.locator(".side")).isHidden();
        assertThat(button(page, "Print")).isHidden();
        assertThat(page.locator(".proof")).isVisible();
        page.context().close();
    }

    private static void answered(Page page, String path, String body) {
        page.route(
                path,
                route -> route.fulfill(new Route.FulfillOptions()
                        .setContentType("application/json")
                        .setBody(body)));
    }

    @Test
    void aTestEventSaysWhatTheReceiverAnswered() throws Exception {
        try (WebhookReceiver receiver = WebhookReceiver.start()) {
            receiver.answer(() -> 500);
            Page page = signedIn(ColorScheme.LIGHT, WIDE, "webhooks");
            page.getByLabel("Webhook URL").fill(receiver.url());
            button(page, "Send test event").click();
            assertThat(page.locator(".result.bad")).hasText(Pattern.compile("^The receiver answered 500\\..*"));
            page.context().close();
        }
    }

    /** The page goes on drawing while it reads; its longest pause is measured. */
    @Test
    @Tag("thorough") // a million domains
    void takesAMillionDomains() {
        Page page = signedIn(ColorScheme.LIGHT, WIDE, "new");
        Locator input = page.locator("#list-domains");
        assertThat(input).isVisible();
        String text = IntStream.range(0, MILLION)
                .mapToObj(i -> "\"d" + i + ".example\"," + i)
                .collect(Collectors.joining("\n", "domain,rank\n", ""));
        page.evaluate("""
                (text) => {
                  window.longest = 0;
                  let before = performance.now();
                  setInterval(() => {
                    window.longest = Math.max(window.longest, performance.now() - before);
                    before = performance.now();
                  }, 0);
                  const data = new DataTransfer();
                  data.setData('text/plain', text);
                  document.getElementById('list-domains')
                    .dispatchEvent(new ClipboardEvent('paste', {clipboardData: data, bubbles: true, cancelable: true}));
                }""", text);
        assertThat(page.locator(".count")).hasText("from domain: 1,000,000 selected");
        assertThat(((Number) page.evaluate("window.longest")).doubleValue()).isLessThan(1_000);
    }

    /** What people copy out of the form asks for the same report and writes its file. */
    @ParameterizedTest
    @CsvSource({"curl, bash, sh", "Python, python3, py", "JavaScript, node, mjs", "Java, java, java"})
    @Tag("thorough") // a process for each language
    void theCodeRunsAsItStands(String language, String command, String ending, @TempDir Path work) throws Exception {
        Assumptions.assumeTrue(ConsoleBrowser.program(command).isPresent(), "no " + command);
        Page page = signedIn(ColorScheme.LIGHT, WIDE, "new");
        page.locator("input[value=demographics]").check();
        type(page, DOMAIN);
        Locator tab = page.getByRole(AriaRole.TAB, named(language).setExact(true));
        tab.click();
        assertThat(tab).hasAttribute("aria-selected", "true");
        String code = page.locator("#code-panel pre").textContent();
        page.context().close();
        Path file = Files.writeString(work.resolve("Snippet." + ending), code);
        // Of the version that the code is for, whichever one the machine has under that name.
        String program = command.equals("java") ? System.getProperty("java.home") + "/bin/java" : command;
        ProcessBuilder process = new ProcessBuilder(program, file.toString())
                .directory(work.toFile())
                .redirectErrorStream(true)
                .redirectOutput(work.resolve("output").toFile());
        process.environment().put("MILLRACE_KEY", millrace.batchKey());
        int exit = process.start().waitFor();
        assertThat(exit).as(Files.readString(work.resolve("output"))).isZero();
        assertThat(Files.readAllLines(work.resolve("report")).getFirst()).startsWith("domain,country,date,");
    }

    @Test
    void anAddressThatNoPageHasSaysSo() {
        Page page = signedIn(ColorScheme.LIGHT, 1440, "credit");
        assertThat(heading(page, "Not found")).isVisible();
        page.getByText("To the first page").click();
        assertThat(heading(page, "Overview")).isVisible();
        page.context().close();
    }

    /** What the sidebar and the address name is what is shown, or the page says that it is not there yet. */
    @Test
    void aPageWhoseScriptDidNotComeIsAskedForWhenTheButtonIsPressed() {
        Page page = signedIn(ColorScheme.LIGHT, 1440, "");
        assertThat(page.locator(".connection")).hasText("Live");
        page.route("**/pages/credits.js", Route::abort);
        page.evaluate("location.hash = '/credits'");
        assertThat(heading(page, "Not loaded")).isVisible();
        page.unroute("**/pages/credits.js");
        button(page, "Try again").click();
        assertThat(heading(page, "Credits")).isVisible();
        page.context().close();
    }

    @Test
    void aPageWhoseScriptDidNotComeIsAskedForWhenTheServiceAnswersAgain() {
        Page page = signedIn(ColorScheme.LIGHT, 1440, "");
        assertThat(page.locator(".connection")).hasText("Live");
        page.route("**/*", Route::abort);
        page.evaluate("location.hash = '/credits'");
        // A stream that is open stays so beside the route; the console opens it again when a computer is online again.
        page.evaluate("dispatchEvent(new Event('online'))");
        assertThat(heading(page, "Not loaded")).isVisible();
        assertThat(page.locator(".connection")).hasText("No connection");
        page.unroute("**/*");
        assertThat(heading(page, "Credits")).isVisible();
        page.context().close();
    }

    /** Of money, in the ledger's table and at the axes of plots. */
    @ParameterizedTest
    @ValueSource(ints = {375, WIDE})
    void noFigureIsCutOffOrTakenForAnother(int width) {
        api().ended(api().submit("demographics", DemoRequests.small(7)));
        Page page = signedIn(ColorScheme.LIGHT, width, "credits");
        assertThat(page.locator("main tbody td.n").first()).isVisible();
        assertThat((Integer) page.locator("main td.n")
                        .evaluateAll("cells => cells.filter((c) => c.scrollWidth > c.clientWidth).length"))
                .isZero();
        assertThat(page.evaluate("import('/console/lib/format.js')"
                        + ".then((format) => [1_250_000, 100_000_000, 2_500].map(format.compact).join(' '))"))
                .isEqualTo("1.25M 100M 2.5k");
        page.context().close();
    }

    @Test
    void thePlotOfTheBalanceEndsWithTheBalance() {
        Page page = signedIn(ColorScheme.DARK, 1440, "credits");
        Locator tile = page.locator(".tile strong").first();
        page.getByLabel("Show the figures of credits left as a table").click();
        String before = tile.textContent();
        Locator last = page.locator(".plot-table tbody td").last();
        assertThat(last).hasText(before);
        api().ended(api().submit("demographics", DemoRequests.small(2)));
        assertThat(tile).not().hasText(before);
        await().pollInSameThread()
                .untilAsserted(() -> assertThat(last.textContent()).isEqualTo(tile.textContent()));
        page.context().close();
    }

    /** With a report, an endpoint and entries, in both themes, on a phone and on a wide screen. */
    @ParameterizedTest
    @CsvSource({"LIGHT, 1440", "DARK, 1440", "LIGHT, 375", "DARK, 375"})
    @Tag("thorough") // axe on each page
    void everyPageCanBeReadByAll(ColorScheme scheme, int width) throws Exception {
        String report = api().submit("demographics", DemoRequests.small(2));
        api().ended(report);
        Page page = browser.page(scheme, width, true);
        page.navigate(millrace.address() + "/console");
        assertThat(page.getByLabel("Batch key")).isVisible();
        assertThat(ConsoleBrowser.accessibility(page)).as("sign in").isEmpty();
        signIn(page, millrace.batchKey());
        assertThat(heading(page, "Overview")).isVisible();
        String failed = failed("http://127.0.0.1:9/", "A name that is longer than any column of a list is wide");
        for (String path : List.of(
                "", "new", "reports", "reports/" + report, "reports/" + failed, "credits", "webhooks", "keys")) {
            readable(page, millrace.address(), path, width);
        }
        page.context().close();
    }

    /** As the client's pages. */
    @ParameterizedTest
    @CsvSource({"LIGHT, 1440", "DARK, 1440", "LIGHT, 375", "DARK, 375"})
    @Tag("thorough") // axe on each page
    void everyPageOfOperatorsCanBeReadByAll(ColorScheme scheme, int width) throws Exception {
        String report = api().submit("demographics", DemoRequests.small(2));
        api().ended(report);
        Page page = browser.page(scheme, width, true);
        page.navigate(millrace.adminAddress() + "/console");
        assertThat(page.getByLabel("Admin key")).isVisible();
        assertThat(ConsoleBrowser.accessibility(page)).as("sign in").isEmpty();
        operatorSignsIn(page, adminKey());
        assertThat(heading(page, "Status")).isVisible();
        for (String path : List.of(
                "",
                "accounts",
                "accounts/demo",
                "accounts/nobody",
                "reports",
                "reports?state=any",
                "reports/" + report,
                "reports/" + failed("http://127.0.0.1:9/", "A name that is longer than any column of a list is wide"),
                "usage",
                "data")) {
            readable(page, millrace.adminAddress(), path, width);
        }
        page.navigate(millrace.adminAddress() + "/console#/accounts/demo");
        button(page, "Take back").click();
        assertThat(page.getByRole(AriaRole.DIALOG)).isVisible();
        assertThat(ConsoleBrowser.accessibility(page)).as("dialog").isEmpty();
        page.context().close();
    }

    private static void readable(Page page, String address, String path, int width) {
        page.navigate("about:blank");
        page.navigate(address + "/console#/" + path);
        assertThat(page.locator("main h1")).isVisible();
        assertThat(page.locator(".skeleton, .bone, .bone-block")).hasCount(0);
        assertThat(page.locator(".failure")).hasCount(0);
        assertThat(ConsoleBrowser.accessibility(page)).as(path).isEmpty();
        assertThat(ConsoleBrowser.shifts(page)).as("%s at %d", path, width).isEmpty();
        assertThat((Integer) page.evaluate("document.documentElement.scrollWidth - window.innerWidth"))
                .as("%s is wider than its screen", path)
                .isLessThanOrEqualTo(0);
    }

    /** Nothing moved by itself, and the policy had nothing to refuse. */
    private static void quiet(Page page) {
        assertThat(ConsoleBrowser.shifts(page)).isEmpty();
        assertThat(ConsoleBrowser.violations(page)).isEmpty();
    }

    private Page signedIn(ColorScheme scheme, int width, String path) {
        Page page = browser.page(scheme, width);
        page.navigate(millrace.address() + "/console#/" + path);
        signIn(page, millrace.batchKey());
        assertThat(button(page, "Sign out")).isVisible();
        return page;
    }

    private static void signIn(Page page, String key) {
        page.getByLabel("Batch key").fill(key);
        button(page, "Sign in").click();
    }

    private Page operator(ColorScheme scheme, int width, String path) throws IOException {
        Page page = browser.page(scheme, width);
        page.navigate(millrace.adminAddress() + "/console#/" + path);
        operatorSignsIn(page, adminKey());
        assertThat(page.locator("main h1")).isVisible();
        return page;
    }

    private static void operatorSignsIn(Page page, String key) {
        page.getByLabel("Admin key").fill(key);
        button(page, "Sign in").click();
    }

    /** That of the data folder. */
    private String adminKey() throws IOException {
        List<String> lines = Files.readAllLines(folder.resolve("admin-keys"));
        return lines.getLast().split(" ", -1)[1];
    }

    private static void type(Page form, String domain) {
        Locator input = form.locator("#list-domains");
        input.fill(domain);
        input.press("Enter");
        assertThat(form.locator(".tag").last()).containsText(domain);
    }

    private BatchApiClient api() {
        return new BatchApiClient(millrace.address(), millrace.batchKey(), HttpClient.newHttpClient());
    }

    private static Locator heading(Page page, String name) {
        return page.getByRole(
                AriaRole.HEADING, new Page.GetByRoleOptions().setName(name).setLevel(1));
    }

    private static Locator button(Page page, String name) {
        return page.getByRole(AriaRole.BUTTON, named(name));
    }

    private static Locator link(Page page, String name) {
        return page.getByRole(AriaRole.LINK, named(name));
    }

    private static Page.GetByRoleOptions named(String name) {
        return new Page.GetByRoleOptions().setName(name);
    }
}
