package millrace.gateway.admin.command;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A request to the admin API.
 *
 * @param path with the query
 * @param body empty where there is none
 */
record AdminRequest(String method, String path, Map<String, Object> body) {
    private static final String ACCOUNTS = "/admin/v1/accounts";

    /** Of all accounts. */
    static AdminRequest ofAccounts(String method) {
        return new AdminRequest(method, ACCOUNTS, Map.of());
    }

    /** @param path below the account's own */
    static AdminRequest ofAccount(String method, String account, String path) {
        return new AdminRequest(method, ACCOUNTS + "/" + encoded(account) + path, Map.of());
    }

    /** The account that it is about; "" where it is about all, or a new one. */
    String account() {
        return path.startsWith(ACCOUNTS + "/")
                ? path.substring(ACCOUNTS.length() + 1).replaceFirst("[/?].*", "")
                : "";
    }

    /** With one more field of the body, if there is a value. */
    AdminRequest with(String field, @Nullable Object value) {
        if (value == null) {
            return this;
        }
        Map<String, Object> more = new LinkedHashMap<>(body);
        more.put(field, value);
        return new AdminRequest(method, path, more);
    }

    /** With a parameter of the query, if there is a value. */
    AdminRequest withQuery(String name, @Nullable Object value) {
        return value == null
                ? this
                : new AdminRequest(method, path + "?" + name + "=" + encoded(value.toString()), body);
    }

    static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
