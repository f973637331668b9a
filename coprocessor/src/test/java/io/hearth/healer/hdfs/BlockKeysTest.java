// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.EnumSet;
import java.util.Optional;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier.AccessMode;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenSecretManager;
import org.apache.hadoop.hdfs.security.token.block.ExportedBlockKeys;
import org.apache.hadoop.security.token.SecretManager.InvalidToken;
import org.apache.hadoop.security.token.Token;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** With HDFS's own keys and tokens: two NameNodes, and a DataNode, as {@link BlockTokenSecretManager} has them. */
class BlockKeysTest {

    private static final long UPDATE_MS = 600 * 60_000L;
    private static final String POOL = "BP-1";
    private static final ExtendedBlock BLOCK = new ExtendedBlock(POOL, 7, 10, 1_001);
    private static final StorageType[] DISK = {StorageType.DISK};

    private BlockTokenSecretManager firstNameNode = nameNode(0);
    private BlockTokenSecretManager secondNameNode = nameNode(1);
    private BlockTokenSecretManager dataNode = follower();
    private Optional<IOException> away = Optional.empty();
    private int asked;
    private long nowMs = 5_000;

    @BeforeEach
    void theDataNodeKnowsBothNameNodes() throws IOException {
        dataNodeHearsOfBoth();
    }

    @Test
    void keysThatADataNodeDoesNotKnowAnyMoreAreAskedForAgain() throws IOException {
        BlockKeys keys = keys();
        BlockKeys.TokenFactory old = keys.current();
        accepted(old);

        restartNameNodes();
        dataNodeHearsOfBoth();
        accepted(old);
        dataNode = follower();
        dataNodeHearsOfBoth();
        assertThatThrownBy(() -> check(old)).isInstanceOf(InvalidToken.class).hasMessageContaining("doesn't exist");

        assertThat(keys.renew(old)).isTrue();
        accepted(keys.current());
        assertThat(asked).isEqualTo(2);
    }

    @Test
    void movesThatAreRefusedTogetherHaveThemAskedForOnce() throws IOException {
        BlockKeys keys = keys();
        BlockKeys.TokenFactory old = keys.current();

        assertThat(keys.renew(old)).isTrue();
        assertThat(keys.renew(old))
                .as("the other move goes on with what this one got")
                .isTrue();
        assertThat(asked).isEqualTo(2);
    }

    @Test
    void aDataNodeThatRefusesEveryTokenHasThemAskedForOnceAMinute() throws IOException {
        BlockKeys keys = keys();
        int renewed = 0;
        for (int second = 0; second < 600; second++) {
            nowMs += 1_000;
            renewed += keys.renew(keys.current()) ? 1 : 0;
        }

        assertThat(renewed).isEqualTo(10);
        assertThat(asked).isEqualTo(1 + 10);
    }

    @Test
    void aNameNodeThatDoesNotAnswerLeavesTheKeysAsTheyWereAndIsAskedOnceAMinute() throws IOException {
        BlockKeys keys = keys();
        BlockKeys.TokenFactory old = keys.current();
        away = Optional.of(new IOException("no NameNode"));

        assertThat(keys.renew(old)).isFalse();
        nowMs += 59_999;
        assertThat(keys.renew(old)).isFalse();
        assertThat(asked).isEqualTo(2);
        assertThat(keys.current()).isSameAs(old);

        away = Optional.empty();
        nowMs += 1;
        assertThat(keys.renew(old)).isTrue();
    }

    @Test
    void keysThatAreDueAreAskedForWithNoThreadThatCouldDie() throws IOException {
        BlockKeys keys = keys();
        BlockKeys.TokenFactory old = keys.current();
        nowMs += UPDATE_MS / 4 - 1;
        assertThat(keys.current()).isSameAs(old);

        nowMs += 1;
        away = Optional.of(new IOException("no NameNode"));
        assertThat(keys.current())
                .as("still good for three quarters of the time")
                .isSameAs(old);
        away = Optional.empty();
        nowMs += 60_000;
        assertThat(keys.current()).isNotSameAs(old);
        assertThat(asked).isEqualTo(3);
    }

    private BlockKeys keys() throws IOException {
        return new BlockKeys(
                () -> {
                    asked++;
                    if (away.isPresent()) {
                        throw away.get();
                    }
                    BlockTokenSecretManager ours = follower();
                    ours.addKeys(exported(firstNameNode));
                    return new BlockKeys.Keys(
                            (block, type) -> ours.generateToken(
                                    null,
                                    block,
                                    EnumSet.of(AccessMode.REPLACE, AccessMode.COPY),
                                    new StorageType[] {type},
                                    new String[0]),
                            UPDATE_MS);
                },
                () -> nowMs);
    }

    private void accepted(BlockKeys.TokenFactory tokenFactory) {
        assertThatCode(() -> check(tokenFactory)).doesNotThrowAnyException();
    }

    private void check(BlockKeys.TokenFactory tokenFactory) throws IOException {
        Token<BlockTokenIdentifier> token = tokenFactory.token(BLOCK, StorageType.DISK);
        dataNode.checkAccess(token, null, BLOCK, AccessMode.REPLACE, DISK, new String[0]);
    }

    private void restartNameNodes() {
        firstNameNode = nameNode(0);
        secondNameNode = nameNode(1);
    }

    private void dataNodeHearsOfBoth() throws IOException {
        dataNode.addKeys(exported(firstNameNode));
        dataNode.addKeys(exported(secondNameNode));
    }

    private static ExportedBlockKeys exported(BlockTokenSecretManager nameNode) {
        return nameNode.exportKeys();
    }

    private static BlockTokenSecretManager nameNode(int index) {
        return new BlockTokenSecretManager(UPDATE_MS, UPDATE_MS, index, 2, POOL, null, false);
    }

    private static BlockTokenSecretManager follower() {
        return new BlockTokenSecretManager(UPDATE_MS, UPDATE_MS, POOL, null, false);
    }
}
