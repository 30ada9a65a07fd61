package millrace.client.cli;

import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Stream;
import millrace.client.cli.session.Machine;
import millrace.runtime.cli.CliRunner;

/** The commands of clients: {@code millrace report run} and so on. */
public final class ClientMain {
    private ClientMain() {}

    public static void main(String[] arguments) {
        System.exit(run(arguments, Machine.here()));
    }

    /** @return the exit code */
    public static int run(String[] typed, Machine machine) {
        String[] arguments = helpAsOption(typed);
        return CliRunner.run(CommandTree.of(machine, version(), arguments), arguments, machine.out(), machine.err());
    }

    /** {@code help report run} is {@code report run --help}, and beside a service the only one of both that is ours. */
    private static String[] helpAsOption(String[] typed) {
        return typed.length > 0 && typed[0].equals("help")
                ? Stream.concat(Arrays.stream(typed).skip(1), Stream.of("--help"))
                        .toArray(String[]::new)
                : typed;
    }

    private static String version() {
        return Optional.ofNullable(ClientMain.class.getPackage().getImplementationVersion())
                .orElse("of the sources");
    }
}
