package millrace.webhook.address;

import io.netty.util.NetUtil;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/** A range of IP addresses in CIDR notation. */
final class AddressRange {
    private final byte[] network;
    private final int bits;

    private AddressRange(byte[] network, int bits) {
        this.network = network;
        this.bits = bits;
    }

    /**
     * @param text {@code 10.0.0.0/8}, {@code fd00::/8}, or one address
     * @throws IllegalArgumentException where it is none of these
     */
    static AddressRange parse(String text) {
        int slash = text.indexOf('/');
        byte @Nullable [] network =
                NetUtil.createByteArrayFromIpAddressString(slash < 0 ? text : text.substring(0, slash));
        if (network == null) {
            throw new IllegalArgumentException("not a range of addresses like 10.0.0.0/8: " + text);
        }
        int width = network.length * Byte.SIZE;
        int bits = slash < 0 ? width : length(text.substring(slash + 1));
        if (bits < 0 || bits > width) {
            throw new IllegalArgumentException("the prefix length of " + text + " is not from 0 to " + width);
        }
        return new AddressRange(network, bits);
    }

    /** Addresses of the other family are never contained. */
    boolean contains(InetAddress address) {
        byte[] bytes = address.getAddress();
        if (bytes.length != network.length) {
            return false;
        }
        int whole = bits / Byte.SIZE;
        for (int i = 0; i < whole; i++) {
            if (bytes[i] != network[i]) {
                return false;
            }
        }
        int rest = bits % Byte.SIZE;
        return rest == 0 || ((bytes[whole] ^ network[whole]) & 0xff) >>> (Byte.SIZE - rest) == 0;
    }

    private static int length(String digits) {
        return digits.matches("[0-9]{1,3}") ? Integer.parseInt(digits) : -1;
    }
}
