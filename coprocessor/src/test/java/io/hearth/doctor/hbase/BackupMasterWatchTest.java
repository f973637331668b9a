package io.hearth.doctor.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.doctor.model.Answer;
import io.hearth.doctor.model.Settings;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A backup master without Hearth is said in the active one's log, once a day. */
class BackupMasterWatchTest {

    private static final String BALANCER = "hbase.master.loadbalancer.class";
    private static final String COPROCESSORS = "hbase.coprocessor.master.classes";
    private static final long HOUR_MS = 3_600_000;

    private final Settings active = new Settings(Map.of(
            BALANCER,
            "io.hearth.balancer.HearthLoadBalancer",
            COPROCESSORS,
            "org.apache.AccessController, io.hearth.healing.hbase.LocalityHealingObserver"));
    private Answer<Settings> backup = Answer.known(new Settings(Map.of(COPROCESSORS, "a.Mine")));
    private final BackupMasterWatch watch = new BackupMasterWatch((host, port) -> backup);

    @Test
    void whatIsMissingIsSaidWithTheLinesThatKeepWhatIsThere() {
        assertThat(watch.warning(active, "m2", 16010, 0))
                .hasValue(
                        "The backup master m2 has not what of Hearth this master has. After a failover to it that is gone. Add to its"
                                + " hbase-site.xml, then restart it: <property><name>hbase.master.loadbalancer.class</name>"
                                + "<value>io.hearth.balancer.HearthLoadBalancer</value></property>"
                                + " <property><name>hbase.coprocessor.master.classes</name>"
                                + "<value>a.Mine,io.hearth.healing.hbase.LocalityHealingObserver</value></property>");
    }

    @Test
    void theSameIsSaidOnceADay() {
        assertThat(watch.warning(active, "m2", 16010, 0)).isPresent();
        assertThat(watch.warning(active, "m2", 16010, HOUR_MS)).isEmpty();
        assertThat(watch.warning(active, "m2", 16010, 24 * HOUR_MS)).isPresent();
    }

    @Test
    void onceItWasMendedTheNextTimeIsSaidAtOnce() {
        assertThat(watch.warning(active, "m2", 16010, 0)).isPresent();
        Answer<Settings> lacking = backup;
        backup = Answer.known(active);
        assertThat(watch.warning(active, "m2", 16010, HOUR_MS)).isEmpty();
        backup = lacking;
        assertThat(watch.warning(active, "m2", 16010, 2 * HOUR_MS)).isPresent();
    }

    @Test
    void aBackupThatDoesNotAnswerIsNothingToSay() {
        backup = Answer.unknown("its web UI does not answer");
        assertThat(watch.warning(active, "m2", 16010, 0)).isEmpty();
    }
}
