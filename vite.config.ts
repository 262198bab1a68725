import { resolve } from 'node:path'
import react from '@vitejs/plugin-react'
import tailwindcss from '@tailwindcss/vite'
import { defineConfig, type EnvironmentOptions } from 'vite'

const root = resolve(import.meta.dirname, 'src/web')
const server = process.env['BALCAO_SERVER'] ?? 'http://localhost:3000'

/** What changes with the dependencies alone stays in the browser from release to release. */
const vendor =
  /node_modules\/(react|react-dom|scheduler|@tanstack\/(query-core|react-query)|wouter|regexparam|use-sync-external-store)\//

/** What a chat shows at once, with what it shares with the list that leads to it; not the dialogs that are opened in it. */
const chat =
  /src\/web\/(contacts|conversations\/(chat|kinds|bodies|attachments))\/.*(?<!-dialog|-display-screen)\.tsx?$/

/** A page of its own, with everything that it begins with in few files: fifty small ones load and compress worse. */
const page = (html: string): EnvironmentOptions => ({
  consumer: 'client',
  build: {
    outDir: resolve(import.meta.dirname, 'dist/web'),
    // The policy of the page allows no data: scripts or fonts.
    assetsInlineLimit: 0,
    rolldownOptions: {
      input: resolve(root, html),
      output: {
        codeSplitting: {
          groups: [
            { name: 'vendor', test: vendor },
            { name: 'app', tags: ['$initial'] },
            { name: 'chat', test: chat },
          ],
        },
        // Before any schema is made: zod would try whether code may be made of text, and the page's rules, which forbid
        // it, would report a breach at every start.
        banner: 'globalThis.__zod_globalConfig??={jitless:true};',
      },
    },
  },
})

const consolePage = page('index.html')
const simulatorPage = page('simulador.html')

export default defineConfig({
  root,
  plugins: [react(), tailwindcss()],
  // Each page is built alone, so that neither loads what only the other needs.
  builder: {},
  environments: {
    client: { ...consolePage, build: { ...consolePage.build, emptyOutDir: true } },
    simulator: { ...simulatorPage, build: { ...simulatorPage.build, emptyOutDir: false } },
  },
  server: {
    fs: { allow: [import.meta.dirname] },
    proxy: {
      '/api': server,
      '/simulador/api': server,
      '/ws': { target: server, ws: true },
    },
  },
})
