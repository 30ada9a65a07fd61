package millrace.e2e.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import millrace.contracts.Json;
import millrace.e2e.process.MillraceProcess;
import millrace.e2e.process.SharedMillrace;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The documentation that the service serves, in the Chromium of this machine. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DocumentationIT {
    @RegisterExtension
    static final SharedMillrace SHARED = new SharedMillrace();

    private MillraceProcess millrace;
    private ConsoleBrowser browser;

    @BeforeAll
    void start() {
        Optional<Path> chromium = ConsoleBrowser.installed();
        Assumptions.assumeTrue(chromium.isPresent(), "no Chromium");
        millrace = SHARED.process();
        browser = ConsoleBrowser.launch(chromium.get());
    }

    @AfterAll
    void stop() {
        if (browser != null) {
            browser.close();
        }
    }

    @AfterEach
    void noScriptFailed() {
        assertThat(browser.errors()).isEmpty();
    }

    @Test
    void theSearchLeadsToThePartOfAPage() {
        Page page = browser.page(ColorScheme.LIGHT, 1_440);
        page.navigate(millrace.address() + "/docs/requests");
        page.keyboard().press("/");
        Locator search = page.getByRole(AriaRole.SEARCHBOX);
        assertThat(search).isFocused();
        search.fill("retry rates account");
        Locator first = page.locator("#found a").first();
        assertThat(first).containsText("Errors: Rates");
        first.click();
        assertThat(page).hasURL(Pattern.compile("/docs/errors#rates$"));
        search.fill("zebra crossing");
        assertThat(page.locator("#found")).hasText("Nothing has all of these words.");
        page.keyboard().press("Escape");
        assertThat(page.locator("#found")).isHidden();
        assertThat(ConsoleBrowser.violations(page)).isEmpty();
        page.context().close();
    }

    /** A sample that is copied runs as it is: its address is that of this service, its key that of the tab. */
    @Test
    void samplesHaveTheReadersOwnAddressAndKey() {
        Page page = browser.page(ColorScheme.LIGHT, 1_440);
        page.navigate(millrace.address() + "/docs/requests");
        Locator first = page.locator("pre code").first();
        assertThat(first).hasText("export BASE=" + millrace.address() + " KEY=0123456789abcdef0123456789abcdef");
        assertThat(page.locator("pre").first().locator("xpath=..").getByRole(AriaRole.BUTTON))
                .hasText("Copy");
        page.navigate(millrace.address() + "/console");
        page.getByLabel("Batch key").fill(millrace.batchKey());
        page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName("Sign in"))
                .click();
        assertThat(page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName("Sign out")))
                .isVisible();
        page.navigate(millrace.address() + "/docs/requests");
        assertThat(first).hasText("export BASE=" + millrace.address() + " KEY=" + millrace.batchKey());
        page.context().close();
    }

    /** In both themes, on a phone and on a wide screen. */
    @ParameterizedTest
    @CsvSource({"LIGHT, 1440", "DARK, 1440", "LIGHT, 375", "DARK, 375"})
    @Tag("thorough") // axe on each page
    void everyPageCanBeReadByAll(ColorScheme scheme, int width) throws Exception {
        Page page = browser.page(scheme, width, true);
        for (String path : paths(millrace.address(), "/docs")) {
            readable(page, millrace.address() + path, width);
        }
        for (String path : paths(millrace.adminAddress(), "/handbook")) {
            readable(page, millrace.adminAddress() + path, width);
        }
        page.context().close();
    }

    private static void readable(Page page, String address, int width) {
        page.navigate(address);
        assertThat(page.locator("main h1")).isVisible();
        assertThat(ConsoleBrowser.accessibility(page)).as(address).isEmpty();
        assertThat((Integer) page.evaluate("document.documentElement.scrollWidth - window.innerWidth"))
                .as("%s is wider than %d", address, width)
                .isLessThanOrEqualTo(0);
    }

    /** All pages, as the search knows them. */
    private static List<String> paths(String address, String base) throws IOException, InterruptedException {
        HttpRequest index = HttpRequest.newBuilder(URI.create(address + base + "/search.json"))
                .build();
        try (HttpClient http = HttpClient.newHttpClient()) {
            JsonNode sections = Json.MAPPER.readTree(
                    http.send(index, BodyHandlers.ofString()).body());
            return sections.findValuesAsText("path").stream()
                    .filter(path -> !path.contains("#"))
                    .toList();
        }
    }
}
