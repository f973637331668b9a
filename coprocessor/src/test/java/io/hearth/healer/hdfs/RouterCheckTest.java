package io.hearth.healer.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.util.Optional;
import org.apache.hadoop.ipc.RemoteException;
import org.junit.jupiter.api.Test;

class RouterCheckTest {

    private Optional<IOException> response = Optional.empty();
    private int asked;
    private final RouterCheck check = new RouterCheck(URI.create("hdfs://federation"), () -> {
        asked++;
        if (response.isPresent()) {
            throw response.get();
        }
    });

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
                "org.apache.hadoop.security.AccessControlException", "Superuser privilege is required"));

        assertThat(check.refusal()).isEmpty();
        assertThat(check.refusal()).isEmpty();
        assertThat(asked).isEqualTo(1);
    }

    @Test
    void whereNobodyAnswersItIsAskedAgain() {
        response = Optional.of(new ConnectException("refused"));

        assertThat(check.refusal()).isEmpty();
        assertThat(check.refusal()).isEmpty();
        assertThat(asked).isEqualTo(2);
    }
}
