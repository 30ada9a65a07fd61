package millrace.runtime.cli;

import java.io.IOException;
import java.net.Authenticator;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.PasswordAuthentication;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.SocketAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ExitCode;

/**
 * The proxies that the variables {@code HTTPS_PROXY} and {@code HTTP_PROXY} name for addresses that
 * begin so, but for the hosts of {@code NO_PROXY}; each also in lower case, which comes first, as
 * with curl. This machine is never asked by way of a proxy. Where they name none, it is that of
 * Java's system properties.
 */
public final class EnvironmentProxies extends ProxySelector {
    private static final int USUAL_PORT = 80;

    private final Map<String, Named> byScheme = new HashMap<>();
    private final List<String> exceptions;

    private EnvironmentProxies(List<String> exceptions) {
        this.exceptions = exceptions;
    }

    /**
     * A proxy that a variable names.
     *
     * @param user name and password, or null
     */
    public record Named(
            String variable,
            InetSocketAddress address,
            @Nullable PasswordAuthentication user) {
        public Proxy proxy() {
            return new Proxy(Proxy.Type.HTTP, address);
        }

        /** Gives the proxy its name and password, once: the JDK would try wrong ones again and again. */
        public Authenticator authenticator() {
            return new Authenticator() {
                private boolean asked;

                @Override
                protected @Nullable PasswordAuthentication getPasswordAuthentication() {
                    boolean first = !asked && getRequestorType() == RequestorType.PROXY;
                    asked |= first;
                    return first ? user : null;
                }
            };
        }

        /** For messages: where it is, and who says so. */
        @Override
        public String toString() {
            return "the proxy " + address.getHostString() + ":" + address.getPort() + " (" + variable + ")";
        }
    }

    /** @throws CliException where a variable is no address of a proxy */
    public static EnvironmentProxies of(Map<String, String> environment) throws CliException {
        var proxies = new EnvironmentProxies(
                Arrays.asList(given(environment, "no_proxy").strip().split("[\\s,]+", -1)));
        for (String scheme : List.of("http", "https")) {
            for (String variable : List.of(scheme + "_proxy", (scheme + "_proxy").toUpperCase(Locale.ROOT))) {
                String value = environment.getOrDefault(variable, "").strip();
                if (!value.isEmpty() && !proxies.byScheme.containsKey(scheme)) {
                    proxies.byScheme.put(scheme, named(variable, value));
                }
            }
        }
        if (proxies.byScheme.values().stream().anyMatch(named -> named.user() != null)) {
            // The JDK gives a proxy of https no password otherwise; it reads this once.
            System.setProperty("jdk.http.auth.tunneling.disabledSchemes", "");
        }
        return proxies;
    }

    private static String given(Map<String, String> environment, String name) {
        return environment.getOrDefault(name, environment.getOrDefault(name.toUpperCase(Locale.ROOT), ""));
    }

    private static Named named(String variable, String value) throws CliException {
        try {
            URI uri = new URI(value.contains("://") ? value : "http://" + value);
            if ("http".equalsIgnoreCase(uri.getScheme()) && uri.getHost() != null) {
                int port = uri.getPort() < 0 ? USUAL_PORT : uri.getPort();
                return new Named(variable, InetSocketAddress.createUnresolved(uri.getHost(), port), user(uri));
            }
        } catch (URISyntaxException e) {
            // Told below, without the value: it may have a password.
        }
        throw new CliException(ExitCode.USAGE, variable + " must be like http://proxy.example.com:3128");
    }

    private static @Nullable PasswordAuthentication user(URI uri) {
        String raw = uri.getRawUserInfo();
        if (raw == null) {
            return null;
        }
        String[] parts = raw.split(":", 2);
        return new PasswordAuthentication(
                decoded(parts[0]), decoded(parts.length > 1 ? parts[1] : "").toCharArray());
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    }

    /** The proxy of an address; empty where there is none, or where Java's system properties say it. */
    public Optional<Named> proxy(URI uri) {
        String host = String.valueOf(uri.getHost()).toLowerCase(Locale.ROOT).replaceAll("[\\[\\]]", "");
        return Optional.ofNullable(byScheme.get(String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT)))
                .filter(named -> !isLoopback(host))
                .filter(named -> exceptions.stream().noneMatch(one -> covers(one, host, uri.getPort())));
    }

    private static boolean isLoopback(String host) {
        return host.equals("localhost")
                || host.endsWith(".localhost")
                || literal(host).map(InetAddress::isLoopbackAddress).orElse(false);
    }

    /** A host, a domain with all below it, an address, a network like 10.0.0.0/8, or *; the first two also with a port. */
    private static boolean covers(String exception, String host, int port) {
        String one = exception.toLowerCase(Locale.ROOT);
        if (one.contains("/")) {
            return literal(host).map(address -> inNetwork(one, address)).orElse(false);
        }
        boolean withPort = one.matches("[^:]+:[0-9]{1,5}");
        if (withPort && !one.endsWith(":" + port)) {
            return false;
        }
        String name = (withPort ? one.replaceFirst(":[0-9]+$", "") : one).replaceFirst("^[*]?[.]", "");
        return one.equals("*") || (!name.isEmpty() && (host.equals(name) || host.endsWith("." + name)));
    }

    private static boolean inNetwork(String network, InetAddress address) {
        String[] parts = network.split("/", 2);
        byte[] there = address.getAddress();
        byte[] base = literal(parts[0]).map(InetAddress::getAddress).orElse(new byte[0]);
        int bits = parts[1].matches("[0-9]{1,3}") ? Integer.parseInt(parts[1]) : -1;
        boolean same = base.length == there.length && bits >= 0 && bits <= 8 * base.length;
        for (int i = 0; same && i < bits; i++) {
            int bit = 0x80 >> i % 8;
            same = (base[i / 8] & bit) == (there[i / 8] & bit);
        }
        return same;
    }

    private static Optional<InetAddress> literal(String host) {
        try {
            return Optional.of(InetAddress.ofLiteral(host));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    @Override
    public List<Proxy> select(URI uri) {
        return proxy(uri)
                .map(named -> List.of(named.proxy()))
                .orElseGet(() -> byScheme.isEmpty() ? ProxySelector.getDefault().select(uri) : List.of(Proxy.NO_PROXY));
    }

    @Override
    public void connectFailed(URI uri, SocketAddress proxy, IOException e) {
        // Who asked is told.
    }
}
