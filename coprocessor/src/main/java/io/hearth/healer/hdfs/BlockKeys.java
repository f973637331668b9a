// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.hdfs;

import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.security.token.Token;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The NameNode's block keys as they were when last asked for, from which block tokens are made. They are asked for when a token is
 * wanted and they are due, and when a DataNode does not know them: keys do not outlive the NameNodes that made them, and a DataNode
 * that was restarted after those knows the new ones alone.
 *
 * <p>There is no thread that could die: whoever wants a token asks. Thread-safe; only one thread asks at a time, and the others
 * make their tokens from the keys at hand meanwhile.
 */
final class BlockKeys {

    private static final Logger LOG = LoggerFactory.getLogger(BlockKeys.class);

    /** Neither a refusal nor a NameNode that does not answer has the keys asked for more often. */
    static final long ASK_AT_MOST_EVERY_MS = 60_000;

    /** The keys at one moment. Thread-safe. */
    @FunctionalInterface
    interface TokenFactory {
        Token<BlockTokenIdentifier> token(ExtendedBlock block, StorageType type) throws IOException;
    }

    /**
     * What the NameNode gave.
     *
     * @param updateMs how often the NameNode makes a new key
     */
    record Keys(TokenFactory tokenFactory, long updateMs) {}

    /** Asks the NameNode. */
    @FunctionalInterface
    interface Source {
        Keys ask() throws IOException;
    }

    private final Source source;
    private final LongSupplier clockMs;
    private final ReentrantLock asking = new ReentrantLock();
    private volatile Keys keys;
    private volatile long gotMs;
    private Optional<Long> askedAgainMs = Optional.empty();

    /**
     * Asks for keys.
     *
     * @param clockMs a clock that does not go back
     */
    BlockKeys(Source source, LongSupplier clockMs) throws IOException {
        this.source = source;
        this.clockMs = clockMs;
        this.gotMs = clockMs.getAsLong();
        this.keys = source.ask();
    }

    /** The keys at hand, which are fresh ones if those were due and the NameNode has answered. */
    TokenFactory current() {
        // As often as the HDFS Balancer asks, which leaves three more tries before a key is out of use.
        if (clockMs.getAsLong() - gotMs >= keys.updateMs() / 4 && asking.tryLock()) {
            try {
                ask("they are due");
            } finally {
                asking.unlock();
            }
        }
        return keys.tokenFactory();
    }

    /** A DataNode does not know these keys. Returns whether there are others now, with which to try again. */
    boolean renew(TokenFactory refused) {
        asking.lock();
        try {
            if (keys.tokenFactory() == refused) {
                ask("a DataNode does not know them");
            }
            return keys.tokenFactory() != refused;
        } finally {
            asking.unlock();
        }
    }

    private void ask(String why) {
        long nowMs = clockMs.getAsLong();
        if (askedAgainMs.isPresent() && nowMs - askedAgainMs.get() < ASK_AT_MOST_EVERY_MS) {
            return;
        }
        askedAgainMs = Optional.of(nowMs);
        try {
            keys = source.ask();
            gotMs = nowMs;
            LOG.info("Got the block keys from the NameNode again: {}.", why);
        } catch (IOException | RuntimeException failure) {
            LOG.warn(
                    "The block keys could not be got from the NameNode again ({}): {}. They are asked for again in a minute.",
                    why,
                    NameNodeCalls.firstLine(failure));
        }
    }
}
