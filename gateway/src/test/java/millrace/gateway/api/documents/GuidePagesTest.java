package millrace.gateway.api.documents;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class GuidePagesTest {
    private final GuidePages pages = new GuidePages();

    @ParameterizedTest
    @EnumSource(Guide.class)
    void aGuideIsAPage(Guide guide) {
        assertThat(page(guide))
                .startsWith("<!doctype html>")
                .containsOnlyOnce("<h1 ")
                .containsOnlyOnce("aria-current=\"page\"")
                .contains("<a href=\"" + guide.path() + "\" aria-current")
                .contains("<table>".repeat(guide == Guide.REQUESTS ? 0 : 1))
                .doesNotContain("{title}", "{pages}", "{text}", ".md\"", "](");
    }

    @Test
    void theTitleIsThatOfTheGuide() {
        assertThat(page(Guide.WEBHOOKS)).contains("<title>Receiving webhooks – Millrace</title>");
    }

    @Test
    void linksLeadToWhatIsServed() {
        assertThat(page(Guide.REQUESTS))
                .contains("<a href=\"/docs/errors\">errors</a>")
                .contains("<a href=\"/docs\">The API</a>");
        assertThat(page(Guide.TOPICS))
                .contains("<a href=\"/asyncapi.yaml\">asyncapi.yaml</a>")
                .contains("<a href=\"/schemas/credit-ledger.v1.json\"><code>credit-ledger</code></a>")
                .as("a page for operators is not served")
                .contains("secure connections has")
                .doesNotContain("secure-connections");
    }

    @Test
    void codeIsShownAsItIs() {
        assertThat(page(Guide.REQUESTS)).contains("cat &gt; request.json &lt;&lt;'END'\n{\n  &quot;domains&quot;");
    }

    private String page(Guide guide) {
        return new String(pages.page(guide), StandardCharsets.UTF_8);
    }
}
