package millrace.gateway.api.documents;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;
import millrace.catalog.Catalog;
import millrace.contracts.Json;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class DocumentSiteTest {
    private static final byte[] OPEN_API =
            Json.bytes(OpenApi.document(Catalog.builtIn(), LocalDate.parse("2026-11-28")));

    private final DocumentSite clients = DocumentSite.forClients(true, () -> OPEN_API);
    private final DocumentSite operators = DocumentSite.forOperators(false, Json.bytes(OpenApi.adminDocument()));

    @ParameterizedTest
    @EnumSource(Guide.class)
    void aGuideIsAPage(Guide guide) {
        String page = page(guide);
        assertThat(page)
                .startsWith("<!doctype html>")
                .containsOnlyOnce("<h1 ")
                .containsOnlyOnce("aria-current=\"page\"")
                .contains("<a href=\"" + guide.path() + "\" aria-current")
                .doesNotContain("{title}", "{pages}", "{text}", "{base}", "{contents}", "{markdown}", ".md#");
        assertThat(page.substring(page.indexOf("<main"), page.indexOf("</main>")))
                .as("links lead to what is served")
                .doesNotContainPattern("href=\"[^/#h]");
    }

    /** Its links lead to what is served, too. */
    @ParameterizedTest
    @EnumSource(Guide.class)
    void aGuideIsMarkdownToo(Guide guide) {
        assertThat(text(guide, guide.pageName() + ".md"))
                .startsWith("# ")
                .doesNotContain("<!--")
                .doesNotContainPattern("\\]\\((?![/#]|https?:)");
    }

    @ParameterizedTest
    @EnumSource(Guide.Audience.class)
    void thePageOfAllCallsIsAsTheOthers(Guide.Audience audience) {
        DocumentSite site = audience == Guide.Audience.CLIENTS ? clients : operators;
        String page = new String(body(site, "calls"), StandardCharsets.UTF_8);
        assertThat(page)
                .containsOnlyOnce("<h1 ")
                .contains("<a href=\"" + audience.calls() + "\" aria-current", "<title>All calls – Millrace</title>")
                .doesNotContain("{title}", "{text}");
        assertThat(new String(body(site, "calls.md"), StandardCharsets.UTF_8)).startsWith("# All calls\n");
    }

    /** When the catalog or an example changes. */
    @Test
    void thePageOfAllCallsFollowsItsDocument() {
        var openApi = new AtomicReference<>(described("before"));
        DocumentSite site = DocumentSite.forClients(false, openApi::get);
        assertThat(new String(body(site, "calls"), StandardCharsets.UTF_8)).contains("<p>before</p>");
        openApi.set(described("after"));
        assertThat(new String(body(site, "calls"), StandardCharsets.UTF_8)).contains("<p>after</p>");
    }

    @Test
    void theTitleIsThatOfTheGuide() {
        assertThat(page(Guide.WEBHOOKS)).contains("<title>Receiving webhooks – Millrace</title>");
    }

    @Test
    void eachAudienceHasItsOwnPages() {
        for (Guide guide : Guide.values()) {
            DocumentSite other = site(guide) == clients ? operators : clients;
            assertThat(other.document(guide.pageName())).as(guide.pageName()).isEmpty();
            assertThat(page(guide))
                    .doesNotContain(guide.audience() == Guide.Audience.CLIENTS ? "\"/handbook" : "\"/docs");
        }
    }

    @Test
    void linksLeadToWhatIsServed() {
        assertThat(page(Guide.REQUESTS))
                .contains("<a href=\"/docs/errors\">errors</a>")
                .contains("<a href=\"/docs/api\">The API</a>");
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

    /** Also into the parts of a page, by the names that the page gives them. */
    @ParameterizedTest
    @EnumSource(Guide.Audience.class)
    void theSearchHasEveryPartOfEveryPage(Guide.Audience audience) throws IOException {
        DocumentSite site = audience == Guide.Audience.CLIENTS ? clients : operators;
        List<String> found = new ArrayList<>();
        for (JsonNode section : Json.MAPPER.readTree(body(site, "search.json"))) {
            found.add(section.path("path").asText());
            assertThat(section.path("page").asText()).isNotEmpty();
        }
        List<String> there = new ArrayList<>();
        List<String> pages =
                new ArrayList<>(audience.guides().stream().map(Guide::pageName).toList());
        pages.add("calls");
        for (String name : pages) {
            String path = audience.path() + "/" + name;
            there.add(path);
            Pattern.compile("<h[2-6] id=\"([^\"]+)\"")
                    .matcher(new String(body(site, name), StandardCharsets.UTF_8))
                    .results()
                    .forEach(part -> there.add(path + "#" + part.group(1)));
        }
        assertThat(found).containsExactlyElementsOf(there);
    }

    @Test
    void pagesLeadToTheConsoleIfThereIsOne() {
        assertThat(page(Guide.REQUESTS)).contains("<a href=\"/console\">");
        assertThat(page(Guide.OPERATION)).doesNotContain("<a href=\"/console\">");
    }

    @Test
    void programsAreToldOfThePages() {
        assertThat(new String(clients.llms(), StandardCharsets.UTF_8))
                .startsWith("# Millrace\n")
                .contains("- [Webhooks](/docs/webhooks.md)\n", "(/openapi.yaml)");
    }

    private static byte[] described(String words) {
        return Json.bytes(Map.of("info", Map.of("description", words)));
    }

    private DocumentSite site(Guide guide) {
        return guide.audience() == Guide.Audience.CLIENTS ? clients : operators;
    }

    private String page(Guide guide) {
        return text(guide, guide.pageName());
    }

    private String text(Guide guide, String name) {
        return new String(body(site(guide), name), StandardCharsets.UTF_8);
    }

    private static byte[] body(DocumentSite site, String name) {
        return site.document(name).orElseThrow().content();
    }
}
