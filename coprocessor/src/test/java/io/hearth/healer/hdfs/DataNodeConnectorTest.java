// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hearth.healer.core.HealerServices.DataNodeProber.Answer;
import io.hearth.healer.hdfs.DataNodeProxy.Question;
import io.hearth.healer.model.DataNode;
import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.NoRouteToHostException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.ipc.RemoteException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class DataNodeConnectorTest {

    private final DataNodeCache cache = new DataNodeCache(() -> 0);
    private final DataNode node = cache.note(info(9866), "/f");
    private final Deque<Runnable> threads = new ArrayDeque<>();
    private Optional<Exception> versionFails = Optional.empty();
    private Optional<Exception> connectionFails = Optional.empty();
    private long nowMs;
    private final DataNodeConnector connector = new DataNodeConnector(
            cache, asked -> answer(versionFails), asked -> answer(connectionFails), threads::add, () -> nowMs);

    private static DatanodeInfo info(int dataPort) {
        return new DatanodeInfo.DatanodeInfoBuilder()
                .setNodeID(new DatanodeID("127.0.0.1", "a1", "uuid-a1", dataPort, 9864, 9865, 9867))
                .setNetworkLocation("/rack")
                .build();
    }

    private static boolean answer(Optional<Exception> failure) throws IOException {
        if (failure.isPresent()) {
            if (failure.get() instanceof IOException io) {
                throw io;
            }
            throw (RuntimeException) failure.get();
        }
        return true;
    }

    private List<Answer> answers() {
        assertThat(connector.takeAnswers(List.of(node))).as("at once").isEmpty();
        threads.forEach(Runnable::run);
        threads.clear();
        return connector.takeAnswers(List.of());
    }

    @Test
    void oneThatAnswersAndCanBeConnectedToServes() {
        assertThat(connector.takeAnswers(List.of(node))).isEmpty();
        threads.remove().run();
        nowMs += 250;
        assertThat(connector.takeAnswers(List.of())).containsExactly(new Answer(node, true, 250));
        assertThat(connector.takeAnswers(List.of())).as("told once").isEmpty();
    }

    private static Stream<IOException> silences() {
        return Stream.of(
                new ConnectException("refused"),
                new SocketTimeoutException("5000 millis timeout"),
                new NoRouteToHostException("no route"));
    }

    @ParameterizedTest
    @MethodSource("silences")
    void oneThatIsSilentOnEitherPortDoesNot(IOException silence) {
        versionFails = Optional.of(silence);
        assertThat(answers()).containsExactly(new Answer(node, false, 0));
        versionFails = Optional.empty();
        connectionFails = Optional.of(silence);
        assertThat(answers()).containsExactly(new Answer(node, false, 0));
    }

    @Test
    void whoRefusesAnAnswerIsThere() {
        versionFails = Optional.of(new RemoteException("org.apache.hadoop.security.AccessControlException", "no"));
        assertThat(answers()).containsExactly(new Answer(node, true, 0));
    }

    /** Broken (any failure is the DataNode's): all are suspect once our ticket is over. */
    @Test
    void aFaultOfOursSaysNothing() {
        versionFails = Optional.of(new IOException("GSS initiate failed"));
        assertThat(answers()).isEmpty();
        versionFails = Optional.of(new IllegalStateException("stopping"));
        assertThat(answers()).isEmpty();
    }

    /** Broken (it is not asked again): nothing is known of one that has just died. */
    @Test
    void aConnectionThatHasEndedIsMadeAnew() {
        Deque<IOException> failures =
                new ArrayDeque<>(List.of(new EOFException("End of File"), new ConnectException("refused")));
        DataNodeConnector again = new DataNodeConnector(
                cache,
                asked -> {
                    throw failures.remove();
                },
                asked -> true,
                Runnable::run,
                () -> 0);
        assertThat(again.takeAnswers(List.of(node))).containsExactly(new Answer(node, false, 0));
        failures.add(new EOFException("End of File"));
        failures.add(new EOFException("End of File"));
        assertThat(again.takeAnswers(List.of(node))).isEmpty();
    }

    @Test
    void nobodyIsAskedOnceThreadsEnd() {
        DataNodeConnector ending = new DataNodeConnector(
                cache,
                asked -> true,
                asked -> true,
                task -> {
                    throw new RejectedExecutionException("shut down");
                },
                () -> 0);
        assertThat(ending.takeAnswers(List.of(node))).isEmpty();
    }

    @Test
    void theConnectionIsToThePortForData() throws IOException {
        Question<Boolean> connection = DataNodeConnector.connection(new Configuration(false));
        int port;
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = server.getLocalPort();
            assertThat(connection.ask(info(port))).isTrue();
            try (Socket accepted = server.accept()) {
                assertThat(accepted.getInputStream().read())
                        .as("closed, and nothing sent")
                        .isEqualTo(-1);
            }
        }
        assertThatThrownBy(() -> connection.ask(info(port))).isInstanceOf(ConnectException.class);
    }

    /** A DataNode logs an error for a handshake that is broken off. */
    @Test
    void noneIsMadeWhereItWouldBeginWithAHandshake() {
        for (String line : List.of("dfs.encrypt.data.transfer=true", "dfs.data.transfer.protection=privacy")) {
            Configuration conf = new Configuration(false);
            conf.set(line.substring(0, line.indexOf('=')), line.substring(line.indexOf('=') + 1));
            assertThatCode(() -> DataNodeConnector.connection(conf).ask(info(1)))
                    .doesNotThrowAnyException();
        }
    }
}
