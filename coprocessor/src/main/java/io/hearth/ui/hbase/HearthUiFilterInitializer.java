// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.ui.hbase;

import io.hearth.common.hadoop.LinkFailure;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.http.FilterContainer;
import org.apache.hadoop.hbase.http.FilterInitializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Installs Hearth's page in the HMaster's web UI: named last in {@code hbase.http.filter.initializers}, with the jar on HBase's
 * own class path. HBase adds authentication before the filters of this list, so that the page is behind it. What fails here
 * would end the HMaster: nothing does.
 */
public final class HearthUiFilterInitializer extends FilterInitializer {

    private static final Logger LOG = LoggerFactory.getLogger(HearthUiFilterInitializer.class);

    @Override
    public void initFilter(FilterContainer container, Configuration conf) {
        try {
            container.addGlobalFilter("hearth", HearthUiFilter.class.getName(), Map.of());
        } catch (Throwable failure) {
            LOG.error(
                    "Hearth's page is not served; the web UI is. {}",
                    LinkFailure.of(failure).orElseGet(failure::toString));
        }
    }
}
