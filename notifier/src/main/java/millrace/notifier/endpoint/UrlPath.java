package millrace.notifier.endpoint;

import millrace.contracts.delivery.WebhookEndpoint;

/** The path of a URL, without its query. */
final class UrlPath {
    private static final long FNV_OFFSET = 0xcbf29ce484222325L;
    private static final long FNV_PRIME = 0x100000001b3L;

    private UrlPath() {}

    /**
     * A hash of the path. Millions of events wait, so that they have no room for the text; if two paths of an
     * endpoint had the same hash, they would be held together.
     */
    static int hash(String url) {
        String text = WebhookEndpoint.withoutQuery(url);
        int path = text.indexOf('/', text.indexOf("://") + 3);
        long hash = FNV_OFFSET;
        for (int i = path < 0 ? text.length() : path + 1; i < text.length(); i++) {
            hash = (hash ^ text.charAt(i)) * FNV_PRIME;
        }
        return Long.hashCode(hash);
    }
}
