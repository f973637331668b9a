// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.testkit.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.cli.ExitCode;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.concurrent.Callable;
import org.apache.hadoop.hbase.exceptions.ScannerResetException;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** What a command on a cluster prints when HBase throws: its exceptions have the server's whole stack in their message. */
class CommandsTest {

    private static final String FROM_A_SERVER = "Scanner is closed on the server-side\n"
            + "\tat org.apache.hadoop.hbase.regionserver.RSRpcServices.scan(RSRpcServices.java:3641)\n"
            + "\tat org.apache.hadoop.hbase.ipc.RpcServer.call(RpcServer.java:452)\n";

    @Command(name = "bin/hearth any")
    private record Failing(Exception failure) implements Callable<Integer> {
        @Override
        public Integer call() throws Exception {
            throw failure;
        }
    }

    private static String printedFor(Exception failure) {
        StringWriter err = new StringWriter();
        CommandLine command = Commands.onCluster(new Failing(failure));
        command.setErr(new PrintWriter(err, true));
        assertThat(command.execute()).isEqualTo(ExitCode.INCOMPLETE.code());
        return err.toString();
    }

    @Test
    void aScannerThatWasResetIsOneLine() {
        assertThat(printedFor(new ScannerResetException(FROM_A_SERVER)))
                .isEqualTo("hearth any: Scanner is closed on the server-side\n");
        assertThat(printedFor(new UncheckedIOException(new ScannerResetException(FROM_A_SERVER))))
                .isEqualTo(
                        "hearth any: java.io.UncheckedIOException:"
                                + " org.apache.hadoop.hbase.exceptions.ScannerResetException: Scanner is closed on the server-side\n");
    }

    @Test
    void anIoExceptionWithoutAMessageIsNamed() {
        assertThat(printedFor(new IOException())).isEqualTo("hearth any: java.io.IOException\n");
    }
}
