package millrace.webhook.address;

import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * Decides to which addresses webhooks may be sent: public ones and ranges that the operator allows,
 * except ranges that the operator blocks. Callers check the resolved address that they connect to;
 * checking a name would allow its address to change in between.
 */
public final class AllowedAddresses {
    /** IANA's special-purpose registry, and the address of Azure's machine agent. */
    private static final List<AddressRange> NOT_PUBLIC_4 = ranges(
            "0.0.0.0/8", // this network; Linux connects to itself
            "10.0.0.0/8",
            "100.64.0.0/10", // carrier-grade NAT
            "127.0.0.0/8",
            "168.63.129.16", // Azure's machine agent
            "169.254.0.0/16", // link-local, metadata services
            "172.16.0.0/12",
            "192.0.0.0/24", // protocol assignments
            "192.0.2.0/24", // TEST-NET-1
            "192.88.99.0/24", // 6to4 relays
            "192.168.0.0/16",
            "198.18.0.0/15", // benchmarks
            "198.51.100.0/24", // TEST-NET-2
            "203.0.113.0/24", // TEST-NET-3
            "224.0.0.0/4", // multicast
            "240.0.0.0/4"); // class E, broadcast

    private static final AddressRange GLOBAL_UNICAST = AddressRange.parse("2000::/3");
    private static final List<AddressRange> NOT_PUBLIC_6 = ranges(
            "2001::/23", // protocol assignments: Teredo, benchmarks, ORCHID
            "2001:db8::/32", // documentation
            "2002::/16", // 6to4, which wraps any IPv4 address
            "3fff::/20"); // documentation
    /** The well-known NAT64 prefix. DNS64 returns it for hosts that have IPv4 only. */
    private static final AddressRange NAT64 = AddressRange.parse("64:ff9b::/96");

    private final List<AddressRange> allowed;
    private final List<AddressRange> blocked;

    private AllowedAddresses(List<AddressRange> allowed, List<AddressRange> blocked) {
        this.allowed = allowed;
        this.blocked = blocked;
    }

    /**
     * @param ranges allowed in addition to public addresses, for example {@code 127.0.0.0/8}
     * @throws IllegalArgumentException where one is not a range
     */
    public static AllowedAddresses publicAnd(List<String> ranges) {
        return new AllowedAddresses(parsed(ranges), List.of());
    }

    /**
     * The same addresses without these ranges, whether they are public or allowed.
     *
     * @throws IllegalArgumentException where one is not a range
     */
    public AllowedAddresses except(List<String> ranges) {
        return new AllowedAddresses(
                allowed,
                Stream.concat(blocked.stream(), parsed(ranges).stream()).toList());
    }

    public boolean allows(InetAddress address) {
        InetAddress plain = unwrapMapped(address);
        return !isBlocked(plain) && (allowed.stream().anyMatch(r -> r.contains(plain)) || isPublic(plain));
    }

    /** Also blocks a NAT64 address whose IPv4 address is blocked. */
    private boolean isBlocked(InetAddress address) {
        return blocked.stream()
                .anyMatch(r -> r.contains(address) || (NAT64.contains(address) && r.contains(embedded(address))));
    }

    private static boolean isPublic(InetAddress address) {
        return switch (address) {
            case Inet4Address ipv4 -> NOT_PUBLIC_4.stream().noneMatch(r -> r.contains(ipv4));
            case Inet6Address ipv6 when NAT64.contains(ipv6) -> isPublic(embedded(ipv6));
            default -> GLOBAL_UNICAST.contains(address) && NOT_PUBLIC_6.stream().noneMatch(r -> r.contains(address));
        };
    }

    /**
     * The system treats {@code ::ffff:a.b.c.d} as the IPv4 address. Most factory methods of
     * InetAddress unwrap it, but not all.
     */
    private static InetAddress unwrapMapped(InetAddress address) {
        byte[] bytes = address.getAddress();
        if (bytes.length != 16 || bytes[10] != -1 || bytes[11] != -1) {
            return address;
        }
        for (int i = 0; i < 10; i++) {
            if (bytes[i] != 0) {
                return address;
            }
        }
        return embedded(address);
    }

    private static InetAddress embedded(InetAddress ipv6) {
        try {
            return InetAddress.getByAddress(Arrays.copyOfRange(ipv6.getAddress(), 12, 16));
        } catch (UnknownHostException e) {
            throw new IllegalStateException("four bytes are an address", e);
        }
    }

    private static List<AddressRange> ranges(String... texts) {
        return parsed(List.of(texts));
    }

    private static List<AddressRange> parsed(List<String> texts) {
        return texts.stream().map(AddressRange::parse).toList();
    }
}
