package millrace.e2e.upgrade;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import millrace.contracts.Json;
import millrace.e2e.process.BatchApiClient;

/**
 * Reads the state of an account from a running service, without fields that change by themselves, so that two builds
 * can be compared.
 */
final class AccountSnapshot {
    /** Replaces the address of the gateway in download links. */
    private static final String HERE = "http://here";

    private AccountSnapshot() {}

    /** The credits, and each report with its query, its status and the hash of its downloaded file. */
    static ObjectNode of(BatchApiClient api) throws IOException {
        ObjectNode all = Json.MAPPER.createObjectNode();
        all.set("credits", api.get("/v3/batch/credits").body());
        ObjectNode reports = all.putObject("reports");
        for (JsonNode listed :
                api.get("/v3/batch/report-history?limit=100").body().path("reports")) {
            String id = listed.path("report_id").asText();
            ObjectNode report = reports.putObject(id);
            JsonNode status = api.status(id).body();
            report.set("listed", located(api, listed));
            report.set("status", located(api, status));
            report.set("query", api.get("/v3/batch/request-query/" + id).body());
            if (status.has("download_url")) {
                report.put(
                        "file",
                        sha256(api.fetch(status.path("download_url").asText()).body()));
            }
        }
        return all;
    }

    /** The accounts of the admin API by id. */
    static ObjectNode accounts(JsonNode listed) {
        ObjectNode accounts = Json.MAPPER.createObjectNode();
        for (JsonNode account : listed.path("accounts")) {
            ObjectNode known = account.deepCopy();
            accounts.set(account.path("id").asText(), known.without(List.of("revision", "updated_at")));
        }
        return accounts;
    }

    private static JsonNode located(BatchApiClient api, JsonNode answer) throws IOException {
        return Json.MAPPER.readTree(answer.toString().replace(api.address(), HERE));
    }

    private static String sha256(byte[] file) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(file));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
