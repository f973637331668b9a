// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli;

import io.hearth.cli.client.PlanClient.NoPlanException;
import io.hearth.cli.heal.SiteConfigLoader.ClientLoginException;
import io.hearth.healer.hbase.HealerUser.HealerLoginException;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import javax.security.sasl.SaslException;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.KerberosAuthException;
import org.ietf.jgss.GSSException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * The commands that work on a real cluster, behind {@code bin/hearth}, or with both jars and {@code hbase --internal-classpath classpath} on the class
 * path. Whatever goes wrong is one line.
 */
@Command(
        name = "bin/hearth",
        description = "Hearth on a cluster.",
        subcommands = {
            StatusCommand.class,
            TopCommand.class,
            BalancerCommand.class,
            HealerCommand.class,
            DoctorCommand.class,
            CapacityCommand.class,
            SloCommand.class,
            FleetCommand.class,
            InstallCommand.class,
            TableCommand.class,
            SnapshotCommand.class,
            UiCommand.class,
            CompletionCommand.class
        })
public final class Main implements Runnable {

    /** What Hadoop's client says where it has no ticket, and no token that the server takes. */
    private static final String NO_LOGIN_OF_HADOOP = "Client cannot authenticate via";

    @Spec
    private CommandSpec spec;

    private Main() {}

    /** Runs the command and ends the JVM with its exit code. */
    public static void main(String[] args) {
        System.exit(commandLine().execute(args));
    }

    /** Runs the command in this JVM with these in the place of the standard streams, and says its exit code. */
    public static int run(PrintWriter out, PrintWriter err, String... args) {
        return commandLine().setOut(out).setErr(err).execute(args);
    }

    static CommandLine commandLine() {
        return new CommandLine(new Main())
                .setParameterExceptionHandler((exception, args) -> {
                    CommandLine command = exception.getCommandLine();
                    command.getErr().println(prefix(command) + oneLine(exception.getMessage()) + help(command));
                    return ExitCode.USAGE.code();
                })
                .setExecutionExceptionHandler((exception, command, parsed) -> {
                    command.getErr().println(prefix(command) + problem(exception));
                    return code(exception).code();
                });
    }

    /** No command was named. */
    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(),
                "say what to do: " + String.join(", ", spec.subcommands().keySet()));
    }

    private static String prefix(CommandLine command) {
        return command.getCommandSpec().qualifiedName().replaceFirst("^bin/", "") + ": ";
    }

    private static String help(CommandLine command) {
        return " (" + command.getCommandSpec().qualifiedName() + " --help shows the options)";
    }

    /** What went wrong, in one line. */
    static String problem(Exception exception) {
        if (exception instanceof ParameterException) {
            return oneLine(exception.getMessage());
        }
        if (exception instanceof FileSystemException local) {
            return localProblem(local);
        }
        String what = what(exception);
        if (exception instanceof AccessDeniedException) {
            return "HBase's ADMIN permission is needed: " + what;
        }
        if (exception instanceof HealerLoginException
                || exception instanceof ClientLoginException
                || exception instanceof NoPlanException) {
            return what;
        }
        return loginProblem(exception)
                .orElseGet(() -> "the cluster can't be asked: "
                        + (isBareHost(exception, what) ? "no address is known for the host " : "") + what);
    }

    /** HBase's client lists its attempts line by line: the cause of the last one says more than how many there were. */
    private static String what(Exception exception) {
        String first = oneLine(exception instanceof IOException ? exception.getMessage() : exception.toString());
        Optional<Throwable> last =
                causes(exception).reduce((before, cause) -> cause).filter(cause -> cause != exception);
        return first.endsWith(", exceptions:") && last.isPresent()
                ? first.replace(", exceptions:", ": ") + oneLine(last.get().toString())
                : first;
    }

    /** What went wrong with a file or a port of this machine, in one line. */
    static String localProblem(IOException failure) {
        if (!(failure instanceof FileSystemException file)) {
            return oneLine(failure.getMessage());
        }
        return file.getFile() + ": " + reason(file);
    }

    /** Of some the JDK says no more than their class. */
    private static String reason(FileSystemException failure) {
        if (failure instanceof NoSuchFileException) {
            return "there is no such file";
        }
        if (failure instanceof FileAlreadyExistsException) {
            return "it is there already";
        }
        if (failure instanceof java.nio.file.AccessDeniedException) {
            return "permission denied";
        }
        return oneLine(Objects.requireNonNullElse(
                failure.getReason(), failure.getClass().getSimpleName()));
    }

    /** The JDK's exception for an unknown host has its name for a message, and nothing else. */
    private static boolean isBareHost(Throwable exception, String what) {
        return causes(exception).anyMatch(cause -> cause instanceof UnknownHostException) && !what.contains(" ");
    }

    private static Stream<Throwable> causes(Throwable exception) {
        return Stream.iterate(exception, Objects::nonNull, Throwable::getCause);
    }

    /** Why there was no login, which HBase and Hadoop tell below what they wanted to do; empty where that was not it. */
    private static Optional<String> loginProblem(Exception exception) {
        return causes(exception)
                .filter(Main::isOfLogin)
                .reduce((outer, inner) -> inner)
                .map(cause -> oneLine(cause.getMessage()))
                .map(what -> what.contains("Failed to find any Kerberos tgt") || what.startsWith(NO_LOGIN_OF_HADOOP)
                        ? ClientLoginException.NO_TICKET
                        : "the login failed: " + what);
    }

    private static boolean isOfLogin(Throwable cause) {
        return cause instanceof SaslException
                || cause instanceof GSSException
                || cause instanceof KerberosAuthException
                || (cause instanceof AccessControlException
                        && String.valueOf(cause.getMessage()).startsWith(NO_LOGIN_OF_HADOOP));
    }

    static ExitCode code(Exception exception) {
        if (exception instanceof ParameterException || exception instanceof FileSystemException) {
            return ExitCode.USAGE;
        }
        if (exception instanceof NoPlanException) {
            return ExitCode.INCOMPLETE;
        }
        boolean isOfLogin = exception instanceof HealerLoginException
                || exception instanceof ClientLoginException
                || loginProblem(exception).isPresent();
        return exception instanceof AccessDeniedException || isOfLogin && !isKdcAway(exception)
                ? ExitCode.NOT_PERMITTED
                : ExitCode.UNREACHABLE;
    }

    /** Whether a login failed since no KDC answers, which is over some time, other than a principal or a keytab that is wrong. */
    private static boolean isKdcAway(Exception ofLogin) {
        return causes(ofLogin)
                .anyMatch(cause -> cause instanceof SocketException
                        || cause instanceof SocketTimeoutException
                        || cause instanceof UnknownHostException
                        || String.valueOf(cause.getMessage()).contains("Cannot contact any KDC"));
    }

    /** The first line, without the names of exceptions before it. */
    static String oneLine(@org.jspecify.annotations.Nullable String text) {
        String first = String.valueOf(text).lines().findFirst().orElse("").strip();
        return first.replaceFirst("^(?:(?:[a-z]\\w*\\.)+[A-Z]\\w*(?:Exception|Error): )+", "");
    }
}
