// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hearth.healer.hdfs.ReplaceBlockMover.BoundedResponseStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketTimeoutException;
import org.junit.jupiter.api.Test;

/** A DataNode that answers byte by byte, or without end, holds a move's thread no longer than the move has. */
class BoundedResponseStreamTest {

    private static final int MOST = 100;

    private int readsLeft = Integer.MAX_VALUE;

    private void beforeRead() throws IOException {
        if (readsLeft-- <= 0) {
            throw new SocketTimeoutException("no answer in time");
        }
    }

    private BoundedResponseStream responses(InputStream in) {
        return new BoundedResponseStream(in, this::beforeRead, MOST);
    }

    /** One byte for each read, for ever. */
    private static InputStream trickle() {
        return new InputStream() {
            @Override
            public int read() {
                return 7;
            }

            @Override
            public int read(byte[] bytes, int offset, int length) {
                bytes[offset] = 7;
                return 1;
            }
        };
    }

    @Test
    void eachReadHasWhatIsLeftOfTheWholeTime() {
        readsLeft = 50;
        BoundedResponseStream in = responses(trickle());

        assertThatThrownBy(() -> in.readNBytes(80))
                .isInstanceOf(SocketTimeoutException.class)
                .hasMessage("no answer in time");
    }

    @Test
    void anAnswerWithoutEndIsCut() {
        assertThatThrownBy(() -> responses(trickle()).readNBytes(1_000))
                .hasMessage("the DataNode answers more than 100 bytes");
    }

    /** As the handshake reads the length of a message. */
    @Test
    void readsOfOneByteHaveTheSameLimits() {
        assertThatThrownBy(() -> readEach(responses(trickle()), 1_000))
                .hasMessage("the DataNode answers more than 100 bytes");
        readsLeft = 50;
        assertThatThrownBy(() -> readEach(responses(trickle()), 80)).hasMessage("no answer in time");
    }

    private static void readEach(InputStream in, int bytes) throws IOException {
        for (int read = 0; read < bytes; read++) {
            assertThat(in.read()).isEqualTo(7);
        }
    }

    @Test
    void eachAnswerHasTheLimitForItself() throws IOException {
        BoundedResponseStream in = responses(new ByteArrayInputStream(new byte[250]));

        for (int response = 0; response < 3; response++) {
            in.begin();
            assertThat(in.readNBytes(80)).hasSize(80);
        }
        in.begin();
        assertThat(in.readNBytes(80)).hasSize(10);
        assertThat(in.read()).isEqualTo(-1);
    }
}
