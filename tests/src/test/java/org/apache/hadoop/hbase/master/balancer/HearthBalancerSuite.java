// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package org.apache.hadoop.hbase.master.balancer;

import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.hearth.balancer.hbase.BalancerMetrics;
import java.io.IOException;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableDescriptors;
import org.apache.hadoop.hbase.metrics.MetricRegistries;
import org.apache.hadoop.hbase.namequeues.NamedQueueRecorder;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;
import org.junit.runner.Runner;
import org.junit.runner.notification.RunNotifier;
import org.junit.runners.BlockJUnit4ClassRunner;
import org.junit.runners.Suite;
import org.junit.runners.model.FrameworkMethod;
import org.junit.runners.model.InitializationError;
import org.junit.runners.model.Statement;

/**
 * Runs test classes of HBase's, as HBase ships them, with Hearth's balancer where they have put the stock one: it takes the
 * place after their own {@code @BeforeClass}, with the master and the metrics that they have given to the stock balancer.
 *
 * <p>That a plan of Hearth's failed counts as a failure of the class: the tests would have met the stock balancer only.
 */
public final class HearthBalancerSuite extends Suite {

    public HearthBalancerSuite(Class<?> list) throws InitializationError {
        super(list, runners(list.getAnnotation(StockTests.class).value()));
    }

    /**
     * HBase's testing utility sets system properties for the JVM that it has to itself, {@code java.io.tmpdir} to a folder that goes
     * with the test among them; here other tests come after it.
     */
    @Override
    public void run(RunNotifier notifier) {
        Properties before = (Properties) System.getProperties().clone();
        try {
            super.run(notifier);
        } finally {
            EnvironmentEdgeManager.reset();
            System.setProperties(before);
        }
    }

    private static List<Runner> runners(Class<?>[] stockTests) throws InitializationError {
        List<Runner> runners = new ArrayList<>();
        for (Class<?> stockTest : stockTests) {
            runners.add(new StockTestRunner(stockTest));
        }
        return runners;
    }

    private static final class StockTestRunner extends BlockJUnit4ClassRunner {

        StockTestRunner(Class<?> stockTest) throws InitializationError {
            super(stockTest);
        }

        @Override
        protected boolean isIgnored(FrameworkMethod method) {
            return super.isIgnored(method)
                    || ExcludedStockTests.METHODS.containsKey(
                            getTestClass().getJavaClass().getSimpleName() + "." + method.getName());
        }

        @Override
        protected Statement withBeforeClasses(Statement tests) {
            return super.withBeforeClasses(new Statement() {
                @Override
                public void evaluate() throws Throwable {
                    forgetRecorder();
                    putHearthInPlace(getTestClass().getJavaClass().getSimpleName());
                    long failedBefore = planFailures();
                    try {
                        tests.evaluate();
                    } finally {
                        BalancerTestBase.loadBalancer.stop("its tests are over");
                    }
                    if (planFailures() > failedBefore) {
                        throw new AssertionError(planFailures() - failedBefore + " plans of Hearth's failed");
                    }
                }
            });
        }
    }

    private static void putHearthInPlace(String stockTest) throws IOException {
        StochasticLoadBalancer stock = BalancerTestBase.loadBalancer;
        TableDescriptors none = mock(TableDescriptors.class);
        when(none.getAll()).thenReturn(Map.of());
        when(stock.services.getTableDescriptors()).thenReturn(none);
        // What a master remembers is for the next one of the same cluster; here there is none.
        stock.services.getConfiguration().unset(HConstants.HBASE_DIR);
        ExcludedStockTests.SETTINGS.getOrDefault(stockTest, Map.of()).forEach(stock.services.getConfiguration()::set);
        StochasticLoadBalancer inPlace = new StatelessHearthBalancer(stock);
        inPlace.metricsBalancer = stock.metricsBalancer;
        inPlace.setMasterServices(stock.services);
        inPlace.initialize();
        BalancerTestBase.loadBalancer = inPlace;
    }

    /** HBase runs each test class in a JVM of its own, so that each makes the one recorder with its own configuration. */
    private static void forgetRecorder() throws ReflectiveOperationException {
        Field recorder = NamedQueueRecorder.class.getDeclaredField("namedQueueRecorder");
        recorder.setAccessible(true);
        recorder.set(null, null);
        Field isMade = NamedQueueRecorder.class.getDeclaredField("isInit");
        isMade.setAccessible(true);
        isMade.set(null, false);
    }

    private static long planFailures() {
        return MetricRegistries.global()
                .get(BalancerMetrics.INFO)
                .orElseThrow()
                .counter("planFailures")
                .getCount();
    }
}
