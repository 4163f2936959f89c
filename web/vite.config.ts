// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { defineConfig, type Plugin } from 'vite';

// FullCalendar puts its style sheets into the page with a script, which our content security policy refuses. They are
// taken out here and travel with our own, without the icons in a data: address that the policy refuses, too. The element
// that they would have gone to is not made.
function stylesOfFullCalendar(): Plugin {
  const sheets = new Map<string, string>();
  const prefix = '\0fullcalendar-styles/';
  return {
    name: 'styles-of-fullcalendar',
    enforce: 'pre',
    resolveId: (id) => (id.startsWith(prefix.slice(1)) ? `\0${id}` : null),
    load: (id) => (id.startsWith(prefix) ? (sheets.get(id) ?? null) : null),
    transform(code, id) {
      const found = /var css_248z = (".*?(?<!\\)");\s*(?:\w+\.)?injectStyles\(css_248z\);/s.exec(code);
      if (!id.includes('@fullcalendar') || found === null) {
        return null;
      }
      const sheet = `${prefix}${id.replace(/.*@fullcalendar\//, '').replace(/\W+/g, '-')}.css`;
      sheets.set(sheet, (JSON.parse(found[1]!) as string).replace(/@font-face\s*{[^}]*}/g, ''));
      const rest = code.replace(/(?<!function )registerStylesRoot\(.*\);/g, '');
      return { code: rest.replace(found[0], `import ${JSON.stringify(sheet.slice(1))};`), map: null };
    },
  };
}

const GROUND = /node_modules\/(preact|@preact|wouter|lucide)|\/src\/(ui|shell|words\/(index|plural|en))/;
const server = process.env['ATRIUM_SERVER'] ?? 'http://127.0.0.1:8080';

export default defineConfig({
  plugins: [stylesOfFullCalendar()],
  esbuild: { jsx: 'automatic', jsxImportSource: 'preact' },
  resolve: { alias: { react: 'preact/compat', 'react-dom': 'preact/compat' } },
  // Without a bundle of their own FullCalendar's modules keep their names, by which they are found above.
  optimizeDeps: { exclude: ['@fullcalendar/core', '@fullcalendar/daygrid', '@fullcalendar/timegrid',
    '@fullcalendar/interaction'] },
  build: {
    target: 'es2022',
    // A data: address would be refused by the content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // Each file is a request. What all rooms stand on is one of them; an icon that two rooms share is not worth its own.
    rollupOptions: {
      output: {
        manualChunks: (id) => (GROUND.test(id) ? 'ground' : undefined),
      },
    },
  },
  server: {
    proxy: Object.fromEntries(
      ['/api', '/api2', '/seafhttp', '/repo/', '/notification', '/auth/', '/feeds', '/metrics'].map((path) => [
        path, { target: server, changeOrigin: false, bypass: pageOf, ws: path === '/notification' },
      ]),
    ),
  },
});

// The pages that mailed links lead to are ours; everything else below /auth/ is the server's.
function pageOf(request: { url?: string }): string | undefined {
  return /^\/auth\/(link|reset|confirm|forgot)\b/.test(request.url ?? '') ? '/index.html' : undefined;
}
