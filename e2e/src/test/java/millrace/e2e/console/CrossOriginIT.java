package millrace.e2e.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import millrace.e2e.data.DemoDataFolder;
import millrace.e2e.data.DemoRequests;
import millrace.e2e.process.BatchApiClient;
import millrace.e2e.process.MillraceProcess;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Pages of other origins in a browser: those of an allowed one use the API, the others see nothing of it. */
@Tag("thorough") // a process of its own
class CrossOriginIT {
    /** As the script of a page: submits, polls and downloads, and reads the headers that tell it how. */
    private static final String CLIENT = """
            async ({address, key, request}) => {
              const headers = {'api-key': key, 'content-type': 'application/json', 'idempotency-key': 'from-a-page'};
              const accepted = await fetch(`${address}/v3/batch/demographics/request-report`,
                {method: 'POST', headers, body: request});
              const location = accepted.headers.get('location');
              const waits = [];
              let status = {};
              while (!['complete', 'internal_error'].includes(status.status)) {
                const answer = await fetch(address + location, {headers: {'api-key': key}});
                status = await answer.json();
                if (status.status === 'processing') {
                  waits.push(answer.headers.get('retry-after') ?? 'hidden');
                  await new Promise((resolve) => setTimeout(resolve, 100));
                }
              }
              const file = await fetch(status.download_url);
              const part = await fetch(status.download_url, {headers: {range: 'bytes=0-5'}});
              const refused = await fetch(`${address}/v3/batch/credits`, {headers: {'api-key': 'wrong'}});
              return {
                status: status.status, location, waits,
                file: await file.text(),
                etag: file.headers.get('etag'),
                disposition: file.headers.get('content-disposition'),
                part: await part.text(),
                range: part.headers.get('content-range'),
                refusal: (await refused.json()).errors[0],
                link: status.download_url,
              };
            }""";

    /** What comes of each request of a page: its answer, or the name of the error where the browser keeps it. */
    private static final String TRIES = """
            async ({address, admin, key, request, link}) => {
              const tried = async (url, options) => {
                try {
                  return String((await fetch(url, options)).status);
                } catch (e) {
                  return e.name;
                }
              };
              return [
                await tried(`${address}/v3/batch/demographics/request-report`,
                  {method: 'POST', headers: {'api-key': key, 'content-type': 'application/json'}, body: request}),
                await tried(`${address}/v3/batch/credits`, {headers: {'api-key': key}}),
                await tried(`${address}/capabilities?api_key=${key}`),
                await tried(link),
                await tried(`${admin}/admin/v1/accounts`, {headers: {'admin-key': 'any'}}),
                await tried(`${admin}/openapi.json`),
              ];
            }""";

    @Test
    void onlyPagesOfAnAllowedOriginUseTheApi(@TempDir Path folder) throws Exception {
        Optional<Path> chromium = ConsoleBrowser.installed();
        Assumptions.assumeTrue(chromium.isPresent(), "no Chromium");
        HttpServer allowed = pages();
        HttpServer other = pages();
        String origin = "http://127.0.0.1:" + allowed.getAddress().getPort();
        int port = other.getAddress().getPort();
        try (var millrace = MillraceProcess.start(
                        DemoDataFolder.create(folder),
                        DemoDataFolder.arguments("--gateway.allowed-origins=" + origin));
                var browser = ConsoleBrowser.launch(chromium.get())) {
            Map<?, ?> seen = (Map<?, ?>) page(browser, origin)
                    .evaluate(
                            CLIENT,
                            Map.of(
                                    "address", millrace.address(),
                                    "key", millrace.batchKey(),
                                    "request", DemoRequests.small(1)));
            BatchApiClient api = BatchApiClient.of(millrace, millrace.batchKey());
            String report = api.get("/v3/batch/report-history")
                    .body()
                    .at("/reports/0/report_id")
                    .asText();
            String file = api.download(api.status(report));
            assertThat(seen.get("status")).isEqualTo("complete");
            assertThat(seen.get("location")).isEqualTo("/v3/batch/request-status/" + report);
            assertThat((List<?>) seen.get("waits")).noneMatch("hidden"::equals);
            assertThat(seen.get("file")).isEqualTo(file);
            assertThat(seen.get("etag")).isEqualTo("\"" + api.status(report).text("sha256") + "\"");
            assertThat(String.valueOf(seen.get("disposition"))).contains("attachment");
            assertThat(seen.get("part")).isEqualTo(file.substring(0, 6));
            assertThat(String.valueOf(seen.get("range"))).startsWith("bytes 0-5/");
            assertThat(String.valueOf(seen.get("refusal"))).contains("valid, active key");

            Map<String, String> known = Map.of(
                    "address", millrace.address(),
                    "admin", millrace.adminAddress(),
                    "key", millrace.batchKey(),
                    "request", DemoRequests.small(2),
                    "link", String.valueOf(seen.get("link")));
            // One on this machine as the allowed one is, and one that is elsewhere by its name.
            for (String stranger :
                    List.of("http://127.0.0.1:" + port, "http://" + ConsoleBrowser.WITHOUT_TLS + ":" + port)) {
                assertThat((List<?>) page(browser, stranger).evaluate(TRIES, known))
                        .as(stranger)
                        .hasSize(6)
                        .allMatch("TypeError"::equals);
            }
            assertThat(((List<?>) page(browser, origin).evaluate(TRIES, known)).subList(4, 6))
                    .as("the admin port knows no origin")
                    .allMatch("TypeError"::equals);
            assertThat(api.get("/v3/batch/report-history").body().path("reports"))
                    .as("the strangers have submitted nothing, the allowed page one more")
                    .hasSize(2);
            assertThat(browser.errors()).isEmpty();
        } finally {
            allowed.stop(0);
            other.stop(0);
        }
    }

    private static Page page(ConsoleBrowser browser, String origin) {
        Page page = browser.page(ColorScheme.LIGHT, 1_000);
        page.navigate(origin + "/");
        return page;
    }

    /** A web site that has one page, which does nothing by itself. */
    private static HttpServer pages() throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        byte[] page = "<!doctype html><html lang=en><title>A page</title>".getBytes(StandardCharsets.UTF_8);
        server.createContext("/", exchange -> {
            try (exchange) {
                exchange.getResponseHeaders().set("Content-Type", "text/html; charset=utf-8");
                exchange.sendResponseHeaders(200, page.length);
                exchange.getResponseBody().write(page);
            }
        });
        server.start();
        return server;
    }
}
