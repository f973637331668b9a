// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.util.Optional;
import org.apache.hadoop.ipc.RemoteException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RouterCheckTest {

    private Optional<IOException> response = Optional.empty();
    private int asked;
    private long nowNanos = -5;
    private final RouterCheck check = new RouterCheck(URI.create("hdfs://federation"), this::ask, () -> nowNanos);

    private void ask() throws IOException {
        asked++;
        if (response.isPresent()) {
            throw response.get();
        }
    }

    /** The answer of a Router of Hadoop 3.4.1 to {@code NamenodeProtocol.isUpgradeFinalized}. */
    @Test
    void aRouterIsRefusedWithOneClearLine() {
        response = Optional.of(new RemoteException(
                "java.lang.UnsupportedOperationException", "Operation \"isUpgradeFinalized\" is not supported"));

        assertThat(check.refusal())
                .contains("hdfs://federation is a router (router-based federation), through which healing is not"
                        + " supported. Set hbase.rootdir to the name service of the NameNodes that hold it, where healing"
                        + " runs.");
        assertThat(check.refusal()).isPresent();
        assertThat(asked).isEqualTo(1);
    }

    @Test
    void aNameNodeIsAskedOnce() {
        assertThat(check.refusal()).isEmpty();
        assertThat(check.refusal()).isEmpty();
        assertThat(asked).isEqualTo(1);
    }

    @Test
    void aNameNodeThatDoesNotLetUsAskIsOne() {
        response = Optional.of(new RemoteException(
                "org.apache.hadoop.security.AccessControlException",
                "Access denied for user hbase. Superuser privilege is required"));

        assertThat(check.refusal()).isEmpty();
        assertThat(check.refusal()).isEmpty();
        assertThat(asked).isEqualTo(1);
    }

    @Test
    void aNameNodeThatStandsByIsOne() {
        response = Optional.of(new RemoteException(
                "org.apache.hadoop.ipc.StandbyException",
                "Operation category READ is not supported in state standby."));

        assertThat(check.refusal()).isEmpty();
        assertThat(check.refusal()).isEmpty();
        assertThat(asked).isEqualTo(1);
    }

    /** A router gives these as well, so that it would pass for a NameNode for good once it lets us in. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "org.apache.hadoop.security.authorize.AuthorizationException"
                        + "|User hbase is not authorized for protocol interface NamenodeProtocol",
                "org.apache.hadoop.security.AccessControlException|SIMPLE authentication is not enabled."
            })
    void whoDoesNotLetUsAskIsAskedAgain(String exception, String message) {
        response = Optional.of(new RemoteException(exception, message));
        assertThat(check.refusal()).isEmpty();
        assertThat(check.isAnswered())
                .as("a service whose access list leaves us out heals")
                .isTrue();
        nowNanos += 59_999_999_999L;
        assertThat(check.refusal()).isEmpty();
        assertThat(asked).as("within a minute").isEqualTo(1);

        nowNanos += 1;
        response = Optional.of(new RemoteException(
                "java.lang.UnsupportedOperationException", "Operation \"isUpgradeFinalized\" is not supported"));
        assertThat(check.refusal()).isPresent();
        assertThat(asked).isEqualTo(2);
    }

    @Test
    void whereNobodyAnswersItIsAskedAgain() {
        response = Optional.of(new ConnectException("refused"));

        assertThat(check.refusal()).isEmpty();
        nowNanos += 5_000_000_000L;
        assertThat(check.refusal()).isEmpty();
        assertThat(asked).isEqualTo(2);
        assertThat(check.isAnswered()).as("nothing is moved").isFalse();

        response = Optional.of(new RemoteException("org.apache.hadoop.ipc.RetriableException", "Server too busy"));
        nowNanos += 5_000_000_000L;
        assertThat(check.refusal()).isEmpty();
        assertThat(check.isAnswered()).isFalse();

        response = Optional.empty();
        nowNanos += 5_000_000_000L;
        assertThat(check.refusal()).isEmpty();
        assertThat(check.isAnswered()).isTrue();
    }
}
