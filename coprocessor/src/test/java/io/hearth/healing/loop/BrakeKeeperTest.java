package io.hearth.healing.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hearth.healing.loop.HealSwitch.Position;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class BrakeKeeperTest {

    private static final class FakeStore implements BrakeStore {

        private Position position = Position.RELEASED;
        private boolean fails;
        private final List<Position> saved = new ArrayList<>();

        @Override
        public Position load() throws IOException {
            return answer();
        }

        @Override
        public void save(Position next) throws IOException {
            Position unused = answer();
            position = next;
            saved.add(next);
        }

        private Position answer() throws IOException {
            if (fails) {
                throw new IOException("the NameNode is away");
            }
            return position;
        }
    }

    private final FakeStore store = new FakeStore();
    private final HealSwitch brake = new HealSwitch();
    private final BrakeKeeper keeper = new BrakeKeeper(brake, store);

    @Test
    void theNextMasterStandsStillUntilSomebodyResumes() throws Exception {
        keeper.takeUp();
        brake.pause("maintenance of rack 4");
        brake.raiseAlarm("too many bounces");
        keeper.keep(0);

        HealSwitch next = new HealSwitch();
        BrakeKeeper nextKeeper = new BrakeKeeper(next, store);
        nextKeeper.takeUp();
        assertThat(next.paused()).contains("maintenance of rack 4");
        assertThat(next.alarm()).contains("too many bounces");

        next.resume();
        nextKeeper.keep(1);
        HealSwitch third = new HealSwitch();
        new BrakeKeeper(third, store).takeUp();
        assertThat(third.position()).isEqualTo(Position.RELEASED);
    }

    @Test
    void aPauseHereIsNotLostToWhatWasLeft() throws Exception {
        store.position = new Position(Optional.of("before"), Optional.of("alarm"));
        brake.pause("now");
        keeper.takeUp();

        assertThat(brake.position()).isEqualTo(new Position(Optional.of("now"), Optional.of("alarm")));
        keeper.keep(0);
        assertThat(store.position.paused()).contains("now");
    }

    @Test
    void nothingIsWrittenWithoutAChange() throws Exception {
        keeper.takeUp();
        keeper.keep(0);
        brake.pause("x");
        keeper.keep(1);
        keeper.keep(2);
        keeper.takeUp();

        assertThat(store.saved).hasSize(1);
    }

    @Test
    void aLoopIsNotMadeWhileNobodyCanSayWhatWasLeft() {
        store.fails = true;
        assertThatThrownBy(keeper::takeUp).hasMessage("the NameNode is away");
        keeper.keep(0);
        assertThat(store.saved).isEmpty();
    }

    @Test
    void whatCanNotBeWrittenIsTriedAgain() throws Exception {
        keeper.takeUp();
        store.fails = true;
        brake.pause("x");
        keeper.keep(0);
        store.fails = false;
        keeper.keep(9_999);
        assertThat(store.saved).isEmpty();
        keeper.keep(10_000);
        assertThat(store.saved).hasSize(1);
    }
}
