package millrace.webhook.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.IoEventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.resolver.dns.SingletonDnsServerAddressStreamProvider;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import millrace.webhook.Exchange;
import millrace.webhook.Webhook;
import millrace.webhook.WebhookSigner;
import millrace.webhook.address.AllowedAddresses;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Ways to make somebody else's server call an inside address, each tried as a webhook from its URL to the socket: with a name
 * server that answers what an attacker likes, and no range allowed besides the public ones.
 */
class ForbiddenAddressesTest {
    private static final IoEventLoopGroup GROUP = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());

    @AfterAll
    static void end() {
        GROUP.close();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            loopback                        | http://127.0.0.1/
            loopback, another of the net    | http://127.8.9.10/
            this host on this network       | http://0.0.0.0/
            this network                    | http://0.8.8.8/
            ten                             | http://10.0.0.1/
            one seven two                   | http://172.16.0.1/
            the end of one seven two        | http://172.31.255.254/
            one nine two                    | http://192.168.1.1/
            carrier-grade NAT               | http://100.64.0.1/
            Alibaba's metadata              | http://100.100.100.200/latest/meta-data/
            metadata of AWS, GCP, Azure     | http://169.254.169.254/latest/meta-data/
            credentials of ECS tasks        | http://169.254.170.2/v2/credentials/
            link-local                      | http://169.254.0.1/
            Azure's machine agent           | http://168.63.129.16/
            Oracle's metadata               | http://192.0.0.192/opc/v2/
            protocol assignments            | http://192.0.0.8/
            TEST-NET-1                      | http://192.0.2.1/
            TEST-NET-2                      | http://198.51.100.1/
            TEST-NET-3                      | http://203.0.113.1/
            6to4 relays                     | http://192.88.99.1/
            benchmarks                      | http://198.18.0.1/
            the end of benchmarks           | http://198.19.255.254/
            multicast                       | http://224.0.0.1/
            SSDP                            | http://239.255.255.250:1900/
            class E                         | http://240.0.0.1/
            broadcast                       | http://255.255.255.255/
            with a dot at the end           | http://127.0.0.1./
            decimal                         | http://2130706433/
            decimal, overflowing            | http://4294967297/
            octal                           | http://0177.0.0.1/
            octal in one                    | http://017700000001/
            hexadecimal                     | http://0x7f000001/
            hexadecimal by parts            | http://0x7f.0x0.0x0.0x1/
            mixed                           | http://0x7f.1/
            two parts                       | http://127.1/
            three parts                     | http://127.0.1/
            zeros in front                  | http://127.0.0.001/
            one zero                        | http://0/
            full-width digits               | http://１２７.０.０.１/
            circled digits                  | http://①②⑦.⓪.⓪.①/
            ideographic dots                | http://127。0。0。1/
            per cent                        | http://%31%32%37.0.0.1/
            user info                       | http://example.com@127.0.0.1/
            user and password               | http://example.com:80@127.0.0.1/
            user info, other way round      | http://127.0.0.1@hooks.example/
            backslash                       | http://hooks.example\\@127.0.0.1/
            fragment                        | http://127.0.0.1#@hooks.example/
            query                           | http://127.0.0.1?@hooks.example/
            a line end                      | http://127.0.0.1%0d%0a.hooks.example/
            unspecified                     | http://[::]/
            IPv6 loopback                   | http://[::1]/
            IPv6 loopback in full           | http://[0:0:0:0:0:0:0:1]/
            IPv4-compatible                 | http://[::127.0.0.1]/
            mapped                          | http://[::ffff:127.0.0.1]/
            mapped, in hexadecimal          | http://[::ffff:7f00:1]/
            mapped metadata                 | http://[::ffff:a9fe:a9fe]/
            translated                      | http://[::ffff:0:127.0.0.1]/
            NAT64 of loopback               | http://[64:ff9b::7f00:1]/
            NAT64 of metadata               | http://[64:ff9b::169.254.169.254]/
            NAT64 of a local prefix         | http://[64:ff9b:1::808:808]/
            6to4 of loopback                | http://[2002:7f00:1::]/
            6to4 of ten                     | http://[2002:a00:1::1]/
            Teredo                          | http://[2001:0:4136:e378:8000:63bf:f5ff:fffe]/
            ORCHID                          | http://[2001:20::1]/
            IPv6 benchmarks                 | http://[2001:2::1]/
            documentation                   | http://[2001:db8::1]/
            more documentation              | http://[3fff::1]/
            discard only                    | http://[100::1]/
            unique local                    | http://[fd00::1]/
            metadata of EC2 over IPv6       | http://[fd00:ec2::254]/
            unique local, not assigned      | http://[fc00::1]/
            IPv6 link-local                 | http://[fe80::1]/
            with a zone                     | http://[fe80::1%25eth0]/
            loopback with a zone            | http://[::1%25lo]/
            site-local                      | http://[fec0::1]/
            segment routing                 | http://[5f00::1]/
            IPv6 multicast                  | http://[ff02::1]/
            localhost                       | http://localhost/
            localhost, shouted, with a dot  | http://LOCALHOST./
            a name of loopback              | http://at-127.0.0.1.example/
            with TLS                        | https://at-127.0.0.1.example/
            a name of metadata              | http://at-169.254.169.254.example/
            a name of ten                   | http://at-10.0.0.1.example/
            a name of mapped metadata       | http://at-mapped.example/
            a name of NAT64                 | http://at-nat64.example/
            a name of unique local          | http://at-ula.example/
            two private addresses           | http://at-two.example/
            ftp                             | ftp://127.0.0.1/
            file                            | file:///etc/passwd
            gopher                          | gopher://127.0.0.1:6379/_SHUTDOWN
            no host                         | http:///etc/passwd
            no port                         | http://127.0.0.1:0/
            """)
    void nothingIsSent(String what, String url) throws Exception {
        try (Fixture fixture =
                new Fixture(AllowedAddresses.publicAnd(List.of()), ForbiddenAddressesTest::attackersZone)) {
            assertThat(fixture.send(url)).as(what).isInstanceOf(Exchange.Blocked.class);
        }
    }

    private static List<String> attackersZone(String name, int nth) {
        return switch (name) {
            case "at-mapped.example" -> List.of("169.254.169.254");
            case "at-nat64.example" -> List.of("64:ff9b::a00:1");
            case "at-ula.example" -> List.of("fd00:ec2::254");
            case "at-two.example" -> List.of("10.0.0.1", "192.168.0.1");
            default -> List.of(name.replace("at-", "").replace(".example", ""));
        };
    }

    /** The address that is checked is the one that is connected to: one lookup for each connection, and no second answer. */
    @Test
    void aNameThatChangesBetweenCheckAndConnection() throws Exception {
        AllowedAddresses one = AllowedAddresses.publicAnd(List.of("127.0.0.1"));
        TestNameServer.Zone rebinding = (name, nth) -> List.of(nth % 2 == 1 ? "127.0.0.1" : "127.0.0.2");
        try (ScriptedReceiver good = ScriptedReceiver.answering("HTTP/1.1 200 OK\r\nconnection: close", "");
                Fixture fixture = new Fixture(one, rebinding)) {
            String url = "http://rebinding.example:" + good.port() + "/";
            for (int i = 1; i <= 6; i++) {
                Exchange exchange = fixture.send(url);
                assertThat(exchange).isInstanceOf(i % 2 == 1 ? Exchange.Answered.class : Exchange.Blocked.class);
                assertThat(fixture.server.lookups).hasValue(i);
            }
            assertThat(good.connections).hasValue(3);
        }
    }

    @Test
    void ofSeveralAddressesNoPrivateOneIsTried() throws Exception {
        AllowedAddresses one = AllowedAddresses.publicAnd(List.of("127.0.0.1"));
        TestNameServer.Zone several = (name, nth) -> List.of("10.0.0.1", "127.0.0.2", "127.0.0.1", "169.254.169.254");
        try (ScriptedReceiver good = ScriptedReceiver.answering("HTTP/1.1 200 OK", "");
                Fixture fixture = new Fixture(one, several)) {
            assertThat(fixture.send("http://several.example:" + good.port() + "/"))
                    .isInstanceOf(Exchange.Answered.class);
            assertThat(good.connections).hasValue(1);
        }
    }

    /** A sender that asks a name server of the test's own. */
    private static final class Fixture implements AutoCloseable {
        final TestNameServer server;
        private final DnsLookup dns;
        private final WebhookSender sender;

        Fixture(AllowedAddresses allowed, TestNameServer.Zone zone) throws Exception {
            server = new TestNameServer(zone);
            dns = new DnsLookup(GROUP.next(), new SingletonDnsServerAddressStreamProvider(server.address()));
            sender = WebhookSender.start(
                    allowed,
                    Duration.ofSeconds(60),
                    InstantSource.system(),
                    SslContextBuilder.forClient().build(),
                    dns);
        }

        Exchange send(String url) throws Exception {
            return sender.send(new Webhook(url, "a.1", "{}", WebhookSigner.of(List.of("QUFB"))))
                    .get();
        }

        @Override
        public void close() {
            sender.close();
            dns.close();
            server.close();
        }
    }
}
