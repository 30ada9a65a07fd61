package millrace.standalone;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import millrace.gateway.settings.GatewaySettings;
import millrace.notifier.NotifierSettings;
import millrace.processor.bootstrap.ProcessorSettings;
import millrace.runtime.accounts.AccountsFile;
import millrace.runtime.settings.Settings;
import millrace.runtime.settings.SettingsException;
import millrace.standalone.folder.DataFolder;
import millrace.standalone.folder.StandaloneSettings;

/** Finds errors in ports, settings and accounts before anything is started or generated. */
final class StartupChecks {
    static final String LOOPBACK = "127.0.0.1";

    private StartupChecks() {}

    /**
     * @throws SettingsException where a port is taken, a setting is wrong, or the accounts file is
     *     invalid; its message is one line
     */
    static void check(Settings settings, DataFolder data) {
        settings.kafka();
        settings.section(ProcessorSettings.PREFIX, ProcessorSettings.class);
        settings.section("notifier", NotifierSettings.class);
        var own = settings.section(StandaloneSettings.PREFIX, StandaloneSettings.class);
        var gateway = settings.section("gateway", GatewaySettings.class);
        // A missing accounts file is created for the demo account.
        if (Files.exists(data.accounts()) || !gateway.accounts().equals(data.accounts())) {
            AccountsFile.read(gateway.accounts());
        }
        port(gateway.host(), gateway.port());
        port(LOOPBACK, own.kafkaPort());
    }

    static boolean free(String host, int port) {
        try {
            port(host, port);
            return true;
        } catch (SettingsException e) {
            return false;
        }
    }

    /**
     * The port of a service: the given one, or a free one where it is 0.
     *
     * @throws SettingsException where it is taken
     */
    static int port(String host, int port) {
        try (var socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(host, port));
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new SettingsException("port " + port + " of " + host + " cannot be used: " + e.getMessage());
        }
    }
}
