package millrace.webhook.address;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.util.NetUtil;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AllowedAddressesTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "1.1.1.1",
                "8.8.8.8",
                "9.255.255.255",
                "11.0.0.0",
                "100.63.255.255",
                "100.128.0.0",
                "126.255.255.255",
                "128.0.0.1",
                "168.63.129.15",
                "169.253.255.255",
                "169.255.0.0",
                "172.15.255.255",
                "172.32.0.0",
                "191.255.255.255",
                "192.0.1.0",
                "192.167.255.255",
                "192.169.0.0",
                "198.17.255.255",
                "198.20.0.0",
                "198.51.99.255",
                "198.51.101.0",
                "203.0.112.255",
                "203.0.114.0",
                "223.255.255.255",
                "2001:4860:4860::8888",
                "2606:4700:4700::1111",
                "2a00:1450:4001::200e",
                "2003::1",
                "2001:200::1",
                "64:ff9b::808:808",
                "::ffff:8.8.8.8"
            })
    void publicOnes(String address) throws UnknownHostException {
        assertThat(AllowedAddresses.publicAnd(List.of()).allows(address(address)))
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0.0.0.0",
                "0.1.2.3",
                "10.0.0.0",
                "10.255.255.255",
                "100.64.0.0",
                "100.100.100.200",
                "100.127.255.255",
                "127.0.0.1",
                "127.255.255.254",
                "168.63.129.16",
                "169.254.0.0",
                "169.254.169.254",
                "169.254.170.2",
                "172.16.0.0",
                "172.31.255.255",
                "192.0.0.1",
                "192.0.0.192",
                "192.0.2.1",
                "192.88.99.1",
                "192.168.0.1",
                "192.168.255.255",
                "198.18.0.0",
                "198.19.255.255",
                "198.51.100.7",
                "203.0.113.7",
                "224.0.0.1",
                "239.255.255.255",
                "240.0.0.1",
                "255.255.255.255",
                "::",
                "::1",
                "::7f00:1",
                "::ffff:127.0.0.1",
                "::ffff:10.0.0.1",
                "::ffff:169.254.169.254",
                "::ffff:0:7f00:1",
                "64:ff9b::7f00:1",
                "64:ff9b::a9fe:a9fe",
                "64:ff9b::a00:1",
                "64:ff9b:1::808:808",
                "100::1",
                "2001::1",
                "2001:0:808::1",
                "2001:2::1",
                "2001:10::1",
                "2001:20::1",
                "2001:db8::1",
                "2002:7f00:1::",
                "2002:808:808::1",
                "3fff::1",
                "4000::1",
                "5f00::1",
                "fc00::1",
                "fd00:ec2::254",
                "fdff:ffff::1",
                "fe80::1",
                "fe80::1%1",
                "fec0::1",
                "febf::1",
                "ff02::1",
                "ff0e::1"
            })
    void othersAreNot(String address) throws UnknownHostException {
        assertThat(AllowedAddresses.publicAnd(List.of()).allows(address(address)))
                .isFalse();
    }

    @Test
    void aMappedAddressThatWasNotUnwrapped() throws UnknownHostException {
        byte[] bytes = new byte[16];
        bytes[10] = bytes[11] = -1;
        bytes[12] = 127;
        bytes[15] = 1;
        InetAddress mapped = Inet6Address.getByAddress(null, bytes, -1);
        assertThat(mapped).isInstanceOf(Inet6Address.class);
        assertThat(AllowedAddresses.publicAnd(List.of()).allows(mapped)).isFalse();
        assertThat(AllowedAddresses.publicAnd(List.of("127.0.0.0/8")).allows(mapped))
                .isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "127.0.0.0/8,  127.0.0.1,        true",
        "127.0.0.0/8,  ::ffff:127.0.0.1, true",
        "127.0.0.0/8,  ::1,              false",
        "127.0.0.0/8,  10.0.0.1,         false",
        "127.0.0.0/8,  8.8.8.8,          true",
        "10.1.2.0/23,  10.1.3.255,       true",
        "10.1.2.0/23,  10.1.4.0,         false",
        "10.1.2.3,     10.1.2.3,         true",
        "10.1.2.3,     10.1.2.2,         false",
        "10.1.2.3/32,  10.1.2.3,         true",
        "10.0.0.0/8,   64:ff9b::a00:1,   false",
        "0.0.0.0/0,    192.168.1.1,      true",
        "0.0.0.0/0,    fd00::1,          false",
        "fd00::/8,     fd12::1,          true",
        "fd00::/8,     fc12::1,          false",
        "::1,          ::1,              true",
        "::/0,         fe80::1,          true",
    })
    void rangesAreAllowedBesides(String range, String address, boolean allowed) throws UnknownHostException {
        assertThat(AllowedAddresses.publicAnd(List.of(range)).allows(address(address)))
                .isEqualTo(allowed);
    }

    @ParameterizedTest
    @CsvSource({
        "8.8.8.0/24,     8.8.8.8,                  false",
        "8.8.8.0/24,     ::ffff:8.8.8.8,           false",
        "8.8.8.0/24,     64:ff9b::808:808,         false",
        "8.8.8.0/24,     8.8.4.4,                  true",
        "10.1.0.0/16,    10.1.2.3,                 false",
        "10.1.0.0/16,    10.2.2.3,                 true",
        "2001:4860::/32, 2001:4860:4860::8888,     false",
        "2001:4860::/32, 2606:4700:4700::1111,     true",
        "64:ff9b::/96,   64:ff9b::808:808,         false",
        "0.0.0.0/0,      1.1.1.1,                  false",
    })
    void rangesAreBlockedThatArePublicOrAllowed(String range, String address, boolean allowed)
            throws UnknownHostException {
        AllowedAddresses addresses = AllowedAddresses.publicAnd(List.of("10.0.0.0/8"));
        assertThat(addresses.allows(address(address))).isTrue();
        assertThat(addresses.except(List.of(range)).allows(address(address))).isEqualTo(allowed);
        assertThat(addresses.except(List.of("192.0.2.1")).except(List.of(range)).allows(address(address)))
                .isEqualTo(allowed);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "10.0.0.0/33",
                "fd00::/129",
                "10.0.0.0/",
                "10.0.0/8",
                "/8",
                "host/8",
                "10.0.0.0/-1",
                "300.0.0.0/8"
            })
    void whatIsNotARange(String range) {
        assertThatThrownBy(() -> AllowedAddresses.publicAnd(List.of(range)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(range);
        assertThatThrownBy(() -> AllowedAddresses.publicAnd(List.of()).except(List.of(range)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(range);
    }

    private static InetAddress address(String text) throws UnknownHostException {
        return InetAddress.getByAddress(Objects.requireNonNull(NetUtil.createByteArrayFromIpAddressString(text)));
    }
}
