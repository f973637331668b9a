// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.testkit.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClusterPoolTest {

    private static final class FakeCluster {
        private boolean isUntidy;
        private boolean isBroken;
        private int tidied;
        private int resets;
        private int ends;

        private void tidy() throws IOException {
            if (isUntidy) {
                throw new IOException("a table can't be deleted");
            }
            tidied++;
        }

        private void reset() throws IOException {
            if (isBroken) {
                throw new IOException("no master starts");
            }
            resets++;
        }

        private void end() {
            ends++;
        }
    }

    private final ClusterPool<FakeCluster> pool = new ClusterPool<>(FakeCluster::tidy, FakeCluster::end);
    private final List<FakeCluster> started = new ArrayList<>();

    private FakeCluster take(String kind) throws IOException {
        return pool.take(
                kind,
                () -> {
                    FakeCluster cluster = new FakeCluster();
                    started.add(cluster);
                    return cluster;
                },
                FakeCluster::reset);
    }

    @Test
    void theNextUserOfAKindGetsTheClusterThatWasPutBack() throws IOException {
        FakeCluster cluster = take("a");

        assertThat(pool.putBack(cluster)).isTrue();
        assertThat(cluster.tidied).isEqualTo(1);
        assertThat(take("b")).isNotSameAs(cluster);
        assertThat(take("a")).isSameAs(cluster);
        assertThat(cluster.resets).isEqualTo(1);
        assertThat(started).hasSize(2);
    }

    /** Broken (a cluster that is idle is refused): its user ends it, and the next user gets a cluster that runs no more. */
    @Test
    void aClusterThatIsPutBackTwiceStaysIdle() throws IOException {
        FakeCluster cluster = take("a");

        assertThat(pool.putBack(cluster)).isTrue();
        assertThat(pool.putBack(cluster)).isTrue();
        assertThat(cluster.tidied).isEqualTo(1);
        assertThat(take("a")).isSameAs(cluster);
    }

    @Test
    void ofTwoClustersOfAKindTheSecondIsNotKept() throws IOException {
        FakeCluster first = take("a");
        FakeCluster second = take("a");

        assertThat(pool.putBack(first)).isTrue();
        assertThat(pool.putBack(second)).isFalse();
        assertThat(pool.putBack(second)).isFalse();
        assertThat(second.tidied).isZero();
        assertThat(take("a")).isSameAs(first);
    }

    @Test
    void aClusterOfNobodyIsNotKept() {
        assertThat(pool.putBack(new FakeCluster())).isFalse();
    }

    @Test
    void aClusterThatCannotBeTidiedIsNotKept() throws IOException {
        FakeCluster cluster = take("a");
        cluster.isUntidy = true;

        assertThat(pool.putBack(cluster)).isFalse();
        assertThat(take("a")).isNotSameAs(cluster);
    }

    @Test
    void aClusterThatCannotBeResetIsEnded() throws IOException {
        FakeCluster cluster = take("a");
        pool.putBack(cluster);
        cluster.isBroken = true;

        assertThatThrownBy(() -> take("a")).isInstanceOf(IOException.class);
        assertThat(cluster.ends).isEqualTo(1);
        assertThat(pool.putBack(cluster)).isFalse();
    }

    /** Broken (any one cluster of the kind is forgotten): a cluster in use is refused when its user puts it back. */
    @Test
    void onlyIdleClustersAreEnded() throws IOException {
        List<FakeCluster> inUse = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            inUse.add(take("a"));
        }
        FakeCluster idle = inUse.remove(3);
        pool.putBack(idle);

        pool.clear();

        assertThat(idle.ends).isEqualTo(1);
        assertThat(pool.putBack(idle)).isFalse();
        assertThat(inUse).allMatch(cluster -> cluster.ends == 0);
        for (FakeCluster cluster : inUse) {
            assertThat(pool.putBack(cluster)).isTrue();
            assertThat(take("a")).isSameAs(cluster);
        }
    }
}
