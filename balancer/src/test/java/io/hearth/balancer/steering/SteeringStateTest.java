package io.hearth.balancer.steering;

import static io.hearth.balancer.steering.Steps.A;
import static io.hearth.balancer.steering.Steps.B;
import static io.hearth.balancer.steering.Steps.C;
import static io.hearth.balancer.steering.Steps.GROUP;
import static io.hearth.balancer.steering.Steps.HOUR;
import static io.hearth.balancer.steering.Steps.LOADED;
import static io.hearth.balancer.steering.Steps.MINUTE;
import static io.hearth.balancer.steering.Steps.T0;
import static io.hearth.balancer.steering.Steps.TABLE;
import static io.hearth.balancer.steering.Steps.TRIGGERS;
import static io.hearth.balancer.steering.Steps.UNEVEN;
import static io.hearth.balancer.steering.Steps.config;
import static io.hearth.balancer.steering.Steps.move;
import static io.hearth.balancer.steering.Steps.moveAndLand;
import static io.hearth.balancer.steering.Steps.plan;
import static io.hearth.balancer.steering.Steps.region;
import static io.hearth.balancer.steering.Steps.report;
import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.balancer.config.MapSettings;
import io.hearth.balancer.cost.TableBudgets;
import io.hearth.balancer.load.LoadDimension;
import io.hearth.balancer.load.RegionId;
import io.hearth.balancer.plan.PlannedMove;
import io.hearth.balancer.snapshot.Pin;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What outlives a master. */
class SteeringStateTest {

    private static final RegionId META = new RegionId("1588230740");
    private static final long NOW = T0 + 2 * HOUR;
    private static final TableBudgets TEN = TableBudgets.read(
            "test",
            new MapSettings(Map.of("hearth.table.ns:t.max.moves.per.hour", "10")),
            Map.of(TABLE, new MapSettings(Map.of())));

    /** One region that went to and fro, one that cools, one in flight, two that were moved by hand, two wrong runs. */
    private static Steering eventful() {
        Steering steering = new Steering(config());
        moveAndLand(steering, region(1), A, B, T0);
        steering.measured(GROUP, Map.of(LoadDimension.WRITES, 2.0), LOADED, T0 + 30 * MINUTE);
        moveAndLand(steering, region(1), B, A, T0 + 31 * MINUTE);
        steering.measured(GROUP, Map.of(LoadDimension.WRITES, 2.0), LOADED, T0 + HOUR);
        steering.observed(List.of(report(A, T0 + HOUR, region(1))), Steps.UNKNOWN_HEAT, T0 + HOUR);
        moveAndLand(steering, region(2), A, B, NOW - 3 * MINUTE);
        steering.movedByHand(region(3), TABLE, A, C, "ann", false, NOW - MINUTE);
        steering.movedByHand(META, TABLE, A, C, "bob", false, NOW - MINUTE);
        steering.observed(
                List.of(report(A, NOW, region(1)), report(C, NOW, region(3))), any -> OptionalDouble.of(100), NOW);
        steering.runStarted(NOW);
        steering.planned(plan(move(region(4), A, B)), GROUP, TRIGGERS, UNEVEN, LOADED, NOW);
        return steering;
    }

    @Test
    void anotherMasterKnowsAllThatThisOneKnew() {
        Steering before = eventful();
        Steering after = new Steering(config());

        assertThat(after.restore(before.encode(NOW), NOW)).isEqualTo(Restored.YES);

        assertThat(after.pins(NOW))
                .isEqualTo(before.pins(NOW))
                .isEqualTo(Map.of(
                        region(1),
                        Pin.FROZEN,
                        region(2),
                        Pin.COOLING,
                        region(3),
                        Pin.MOVED_BY_HAND,
                        META,
                        Pin.MOVED_BY_HAND,
                        region(4),
                        Pin.IN_FLIGHT));
        assertThat(after.pinned(NOW)).isEqualTo(before.pinned(NOW)).hasSize(5);
        assertThat(Steps.targets(after, NOW)).isEqualTo(Map.of(region(4), B));
        assertThat(after.movesLeft(TEN, NOW))
                .isEqualTo(before.movesLeft(TEN, NOW))
                .isEqualTo(Map.of(TABLE, 8));
        assertThat(after.ledger()).hasSize(3).hasSameSizeAs(before.ledger());
        assertThat(after.ledger().subList(0, 2))
                .as("what was judged")
                .isEqualTo(before.ledger().subList(0, 2));
        Steps.land(after, region(4), B, NOW + MINUTE);
        Steps.land(before, region(4), B, NOW + MINUTE);
        assertThat(before.ledger()).as("the run that nothing was seen of").hasSize(4);
        assertThat(after.ledger()).as("is not judged by another master").hasSize(3);
        assertThat(after.mostHeatMoves(GROUP, NOW)).isEqualTo(before.mostHeatMoves(GROUP, NOW));
    }

    @Test
    void heatThatAHandPinWasSetAtOutlivesTheMasterToo() {
        Steering after = new Steering(config());
        after.restore(eventful().encode(NOW), NOW);
        after.observed(
                List.of(report(C, NOW + 1, region(3))),
                any -> OptionalDouble.of(any.equals(META) ? 199 : 200),
                NOW + 1);

        assertThat(after.pins(NOW + 1)).doesNotContainKey(region(3)).containsKey(META);
    }

    @Test
    void aWordThatChangedBetweenTheMastersForgivesAndALiftedPinIsLifted() {
        Steering after = new Steering(config());
        after.configure(config("ledger.reset", "1", "pins.lifted", "all"), NOW);
        after.restore(eventful().encode(NOW), NOW);

        assertThat(after.mostHeatMovesByGroup(NOW)).isEmpty();
        assertThat(after.pins(NOW)).doesNotContainValue(Pin.MOVED_BY_HAND).hasSize(3);
    }

    @Test
    void bytesOfAnotherKindOrVersionAreLeftAloneAndSaidSo() {
        byte[] newer = eventful().encode(NOW);
        newer[7]++;

        assertThat(restore("{\"a\": \"file of somebody else\"}".getBytes(StandardCharsets.UTF_8)))
                .isEqualTo(Restored.FOREIGN);
        assertThat(restore(newer)).isEqualTo(Restored.FOREIGN);
        assertThat(restore(new byte[0])).isEqualTo(Restored.TORN);
    }

    @Test
    void bytesThatAreCutOffAreLeftAloneWhereverTheyAreCut() {
        byte[] whole = eventful().encode(NOW);
        for (int length = 0; length < whole.length; length++) {
            assertThat(restore(Arrays.copyOf(whole, length)))
                    .as("%d of %d bytes", length, whole.length)
                    .isEqualTo(Restored.TORN);
        }
        assertThat(restore(Arrays.copyOf(whole, whole.length + 1))).isEqualTo(Restored.TORN);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void aChangedByteIsNoticed(long seed) {
        Random random = new Random(seed);
        byte[] whole = eventful().encode(NOW);
        for (int round = 0; round < 200; round++) {
            byte[] changed = whole.clone();
            int at = random.nextInt(changed.length);
            changed[at] ^= (byte) (1 << random.nextInt(8));
            assertThat(restore(changed)).as("seed %d, byte %d", seed, at).isNotEqualTo(Restored.YES);
        }
    }

    /** Restores into one that remembers something, which must still be there. */
    private static Restored restore(byte[] bytes) {
        Steering steering = new Steering(config());
        steering.movedByHand(region(9), TABLE, A, B, "ann", false, NOW);
        Restored restored = steering.restore(bytes, NOW);
        assertThat(steering.pins(NOW)).isEqualTo(Map.of(region(9), Pin.MOVED_BY_HAND));
        return restored;
    }

    @Test
    void whatLiesInTheFutureIsAsIfItWereNow() {
        Steering after = new Steering(config());
        after.restore(eventful().encode(NOW), NOW - 48 * HOUR);

        assertThat(after.pins(NOW - 48 * HOUR)).containsEntry(region(2), Pin.COOLING);
        assertThat(after.pins(NOW - 47 * HOUR)).doesNotContainKey(region(2));
    }

    @Test
    void aClockThatGoesBackALittleStandsStillAndOneThatGoesBackFarIsBelieved() {
        Steering steering = eventful();

        assertThat(steering.pins(NOW - MINUTE)).isEqualTo(steering.pins(NOW));
        steering.pins(NOW - 30 * HOUR);
        assertThat(steering.pins(NOW - 30 * HOUR + 15 * MINUTE)).doesNotContainKey(region(2));
    }

    @Test
    void aClockThatWasAnHourAheadKeepsNothingFromMovingForAnHour() {
        Steering steering = eventful();

        assertThat(steering.pins(NOW - HOUR)).containsEntry(region(2), Pin.COOLING);
        assertThat(steering.pins(NOW - HOUR + 15 * MINUTE)).doesNotContainKey(region(2));
    }

    @Test
    void itIsSmall() {
        Steering steering = new Steering(config());
        PlannedMove[] moves = IntStream.range(0, 10_000)
                .mapToObj(number -> move(region(number), Steps.server("s" + number % 100), B))
                .toArray(PlannedMove[]::new);
        steering.runStarted(T0);
        steering.planned(plan(moves), GROUP, Map.of(), UNEVEN, LOADED, T0);
        assertThat(steering.encode(T0).length / 10_000)
                .as("bytes for a move in flight")
                .isLessThan(100);
    }
}
