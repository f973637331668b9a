// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hearth.healer.core.PausePersister.PauseStore;
import io.hearth.healer.core.PauseSwitch.PauseState;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PausePersisterTest {

    private static final class FakeStore implements PauseStore {

        private PauseState state = PauseState.NONE;
        private boolean fails;
        private boolean lacksClass;
        private final List<PauseState> saved = new ArrayList<>();

        @Override
        public PauseState load() throws IOException {
            return response();
        }

        @Override
        public void save(PauseState next) throws IOException {
            PauseState unused = response();
            state = next;
            saved.add(next);
        }

        private PauseState response() throws IOException {
            if (lacksClass) {
                throw new NoClassDefFoundError("org/apache/hadoop/hdfs/Late");
            }
            if (fails) {
                throw new IOException("the NameNode is away");
            }
            return state;
        }
    }

    private final FakeStore store = new FakeStore();
    private final PauseSwitch pauseSwitch = new PauseSwitch();
    private final PausePersister keeper = new PausePersister(pauseSwitch, store);

    @Test
    void whoeverPausesOrResumesWakesTheLoop() {
        PauseSwitch pauseSwitch = new PauseSwitch();
        int[] woken = {0};
        pauseSwitch.onChange(() -> woken[0]++);

        pauseSwitch.pause("a test");
        assertThat(woken[0]).isEqualTo(1);
        pauseSwitch.resume();
        assertThat(woken[0]).isEqualTo(2);
    }

    @Test
    void theNextMasterStandsStillUntilSomebodyResumes() throws Exception {
        keeper.restore();
        pauseSwitch.pause("maintenance of rack 4");
        pauseSwitch.raiseAlarm("too many reverted moves");
        keeper.persist(0);

        PauseSwitch next = new PauseSwitch();
        PausePersister nextKeeper = new PausePersister(next, store);
        nextKeeper.restore();
        assertThat(next.paused()).contains("maintenance of rack 4");
        assertThat(next.alarm()).contains("too many reverted moves");

        next.resume();
        nextKeeper.persist(1);
        PauseSwitch third = new PauseSwitch();
        new PausePersister(third, store).restore();
        assertThat(third.state()).isEqualTo(PauseState.NONE);
    }

    @Test
    void aPauseHereIsNotLostToWhatWasLeft() throws Exception {
        store.state = new PauseState(Optional.of("before"), Optional.of("alarm"), Optional.of(Instant.EPOCH));
        pauseSwitch.pause("now");
        keeper.restore();

        assertThat(pauseSwitch.state())
                .isEqualTo(new PauseState(Optional.of("now"), Optional.of("alarm"), Optional.of(Instant.EPOCH)));
        keeper.persist(0);
        assertThat(store.state.paused()).contains("now");
    }

    /** In the first seconds of a master, or while HDFS is away; the answer was that healing goes on. */
    @Test
    void whoResumesBeforeItIsReadEndsWhatWasLeft() throws Exception {
        store.state = new PauseState(Optional.of("before"), Optional.of("alarm"), Optional.of(Instant.EPOCH));
        pauseSwitch.resume();
        keeper.restore();
        assertThat(pauseSwitch.state()).isEqualTo(PauseState.NONE);
        keeper.persist(0);
        assertThat(store.state).as("for the next master too").isEqualTo(PauseState.NONE);

        store.state = new PauseState(Optional.of("before"), Optional.empty(), Optional.empty());
        PauseSwitch next = new PauseSwitch();
        next.resume();
        next.pause("once more");
        new PausePersister(next, store).restore();
        assertThat(next.paused()).contains("once more");
        assertThat(next.alarm()).isEmpty();
    }

    @Test
    void nothingIsWrittenWithoutAChange() throws Exception {
        keeper.restore();
        keeper.persist(0);
        pauseSwitch.pause("x");
        keeper.persist(1);
        keeper.persist(2);
        keeper.restore();

        assertThat(store.saved).hasSize(1);
    }

    @Test
    void aLoopIsNotMadeWhileNobodyCanSayWhatWasLeft() {
        store.fails = true;
        assertThatThrownBy(keeper::restore).hasMessage("the NameNode is away");
        keeper.persist(0);
        assertThat(store.saved).isEmpty();
    }

    @Test
    void whatCanNotBeWrittenIsTriedAgain() throws Exception {
        keeper.restore();
        store.fails = true;
        pauseSwitch.pause("x");
        keeper.persist(0);
        store.fails = false;
        keeper.persist(9_999);
        assertThat(store.saved).isEmpty();
        keeper.persist(10_000);
        assertThat(store.saved).hasSize(1);
    }

    /** As after a jar of Hadoop was replaced under a running master. */
    @Test
    void noErrorOfTheStoreReachesTheThreadThatHeals() throws Exception {
        keeper.restore();
        store.lacksClass = true;
        pauseSwitch.pause("x");
        keeper.persist(0);
        store.lacksClass = false;
        keeper.persist(9_999);
        assertThat(store.saved).isEmpty();
        keeper.persist(10_000);
        assertThat(store.saved).hasSize(1);
    }
}
