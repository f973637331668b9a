package io.hearth.healing.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.balancer.load.RegionId;
import org.junit.jupiter.api.Test;

class FormerHostsTest {

    private static final RegionId REGION = new RegionId("r");

    private final FormerHosts former = new FormerHosts();

    @Test
    void theHostBeforeTheOneOfNow() {
        assertThat(former.before(REGION, "a")).isEmpty();
        assertThat(former.before(REGION, "b")).contains("a");
        assertThat(former.before(REGION, "b")).as("still").contains("a");
        assertThat(former.before(REGION, "c")).contains("b");
    }

    @Test
    void aRegionThatIsGoneIsForgotten() {
        former.before(REGION, "a");
        former.forget(REGION);

        assertThat(former.before(REGION, "b")).isEmpty();
    }
}
