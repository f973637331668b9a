package io.hearth.balancer.locality;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.balancer.load.TableId;
import io.hearth.balancer.locality.HealForecast.Outlook;
import io.hearth.balancer.snapshot.LocalBytes;
import java.util.Map;
import org.junit.jupiter.api.Test;

class HealForecastTest {

    private static final TableId TABLE = new TableId("t");
    private static final LocalBytes LOCAL = LocalBytes.of(100, Map.of("home", 100L, "near", 70L));

    @Test
    void aHealedTablePaysForItsBytesOnce() {
        assertThat(HealForecast.ALWAYS.outlook(TABLE, LOCAL, "near")).contains(new Outlook(30, 0));
        assertThat(HealForecast.ALWAYS.outlook(TABLE, LOCAL, "home")).contains(new Outlook(0, 0));
        assertThat(HealForecast.ALWAYS.change(TABLE, LOCAL, "home", "far")).contains(new Outlook(100, 0));
    }

    @Test
    void aTableThatIsNotHealedStaysRemote() {
        assertThat(HealForecast.NEVER.outlook(TABLE, LOCAL, "near")).contains(new Outlook(0, 30));
    }

    @Test
    void goingHomeSparesWhatWouldHaveToBeHealed() {
        assertThat(HealForecast.ALWAYS.change(TABLE, LOCAL, "far", "near")).contains(new Outlook(-70, 0));
        assertThat(HealForecast.NEVER.change(TABLE, LOCAL, "far", "home")).contains(new Outlook(0, -100));
    }

    @Test
    void whatIsUnknownStaysUnknown() {
        assertThat(HealForecast.ALWAYS.outlook(TABLE, LocalBytes.UNKNOWN, "home"))
                .isEmpty();
        assertThat(HealForecast.ALWAYS.change(TABLE, LocalBytes.UNKNOWN, "home", "far"))
                .isEmpty();
    }
}
