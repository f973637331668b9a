// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.ui.hbase;

import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.http.FilterContainer;
import org.apache.hadoop.hbase.http.FilterInitializer;

/**
 * Installs Hearth's page in the HMaster's web UI: named last in {@code hbase.http.filter.initializers}, with the jar on HBase's
 * own class path. HBase adds authentication before the filters of this list, so that the page is behind it.
 */
public final class HearthUiFilterInitializer extends FilterInitializer {

    @Override
    public void initFilter(FilterContainer container, Configuration conf) {
        container.addGlobalFilter("hearth", HearthUiFilter.class.getName(), Map.of());
    }
}
