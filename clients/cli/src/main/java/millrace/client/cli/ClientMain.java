package millrace.client.cli;

import java.util.Optional;
import millrace.client.cli.session.Machine;
import millrace.runtime.cli.CliRunner;

/** The commands of clients: {@code millrace report run} and so on. */
public final class ClientMain {
    private ClientMain() {}

    public static void main(String[] arguments) {
        System.exit(run(arguments, Machine.here()));
    }

    /** @return the exit code */
    public static int run(String[] arguments, Machine machine) {
        return CliRunner.run(CommandTree.of(machine, version(), arguments), arguments, machine.out(), machine.err());
    }

    private static String version() {
        return Optional.ofNullable(ClientMain.class.getPackage().getImplementationVersion())
                .orElse("of the sources");
    }
}
