package org.apache.hadoop.hbase.master.balancer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.hearth.balancer.HearthLoadBalancer;
import io.hearth.balancer.hbase.MasterLinks;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableDescriptors;
import org.apache.hadoop.hbase.master.MasterServices;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a reload of the configuration does to Hearth's balancer. */
class HearthBalancerBridgeTest {

    private static final String MAX_STEPS = "hbase.master.balancer.stochastic.maxSteps";

    private final Configuration site = HBaseConfiguration.create();
    private final HearthBalancerBridge balancer = new HearthLoadBalancer();

    @BeforeEach
    void giveItAMaster() throws IOException {
        // Nothing is kept for the next master.
        site.unset(HConstants.HBASE_DIR);
        MasterServices master = mock(MasterServices.class);
        when(master.getConfiguration()).thenReturn(site);
        when(master.getServerName()).thenReturn(ServerName.valueOf("master", 16000, 1));
        TableDescriptors descriptors = mock(TableDescriptors.class);
        when(master.getTableDescriptors()).thenReturn(descriptors);
        LineSupport.attach(balancer, master);
    }

    @AfterEach
    void stop() {
        balancer.stop("the test is over");
    }

    private HearthRegionLocationFinder finder() {
        return (HearthRegionLocationFinder) MasterLinks.localityRefresh(site).orElseThrow();
    }

    @Test
    void aStockValueThatCannotBeReadDoesNotTakeHearthsFinderAway() {
        balancer.initialize();
        site.set(MAX_STEPS, "many");
        assertThatThrownBy(() -> balancer.onConfigurationChange(site)).isInstanceOf(NumberFormatException.class);

        assertThat(balancer.regionFinder).isSameAs(finder());
    }
}
