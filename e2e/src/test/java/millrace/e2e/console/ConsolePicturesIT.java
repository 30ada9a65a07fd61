package millrace.e2e.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import java.nio.file.Path;
import millrace.e2e.data.DemoDataFolder;
import millrace.e2e.data.DemoRequests;
import millrace.e2e.process.BatchApiClient;
import millrace.e2e.process.MillraceProcess;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** Takes the pictures of the guide to the console anew, with {@code -Dpictures=write}. */
@EnabledIfSystemProperty(named = "pictures", matches = "write")
class ConsolePicturesIT {
    private static final Path PICTURES = Path.of("../docs/guides/images");
    private static final String SEVERAL_SITES = """
            {"domains":["amber-bank.example","amber-books.example","amber-clinic.example"],"countries":["WW"],
             "metrics":["all_traffic_visits","desktop_bounce_rate"],"start_date":"2025-11","end_date":"2026-10",
             "granularity":"monthly"}""";

    @Test
    void ofThreePages(@TempDir Path folder) throws Exception {
        try (MillraceProcess millrace =
                        MillraceProcess.start(DemoDataFolder.create(folder), DemoDataFolder.arguments());
                ConsoleBrowser browser =
                        ConsoleBrowser.launch(ConsoleBrowser.installed().orElseThrow());
                Page page = browser.page(ColorScheme.LIGHT, 1_440)) {
            BatchApiClient api = BatchApiClient.of(millrace, millrace.batchKey());
            for (int number = 0; number < 5; number++) {
                api.ended(api.submit("demographics", DemoRequests.small(number)));
            }
            String report = api.submit("traffic_and_engagement", SEVERAL_SITES);
            api.ended(report);
            page.navigate(millrace.address() + "/console");
            page.getByLabel("Batch key").fill(millrace.batchKey());
            page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName("Sign in"))
                    .click();
            take(page, "overview");
            page.navigate(millrace.address() + "/console#/reports/" + report);
            assertThat(page.locator("m-plot svg .line").first()).isAttached();
            take(page, "report");
            page.navigate(millrace.address() + "/console#/new");
            page.locator("input[value=demographics]").check();
            page.locator("#list-domains").fill("amber");
            assertThat(page.locator("#list-domains-options [role=option]").first())
                    .isVisible();
            take(page, "new-report");
        }
    }

    private static void take(Page page, String name) {
        assertThat(page.locator("main h1")).isVisible();
        assertThat(page.locator(".skeleton, .bone, .bone-block")).hasCount(0);
        page.screenshot(new Page.ScreenshotOptions().setPath(PICTURES.resolve("console-" + name + ".png")));
    }
}
