import { readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import react from '@vitejs/plugin-react'
import tailwindcss from '@tailwindcss/vite'
import { defineConfig, type EnvironmentOptions, type Plugin } from 'vite'
import { licenses } from './scripts/licenses.ts'
import { serverOnlyLeftOut } from './scripts/server-only.ts'

const root = resolve(import.meta.dirname, 'src/web')
const server = process.env['BALCAO_SERVER'] ?? 'http://localhost:3000'

/**
 * The libraries of the first screens. Changes only with the dependencies, so browsers keep it
 * from release to release.
 */
const vendor =
  /node_modules\/(react|react-dom|scheduler|@tanstack\/(query-core|react-query)|@radix-ui\/react-collection|wouter|regexparam)\//

const chatScreen = join(root, 'conversations/chat/chat-screen.tsx')
const chatModules = new Set<string>()

/**
 * Finds what a chat needs at once, including what it shares with the list, but not what is loaded on demand:
 * what its screen imports, directly or not.
 */
const chatFinder: Plugin = {
  name: 'chat-modules',
  apply: 'build',
  buildEnd() {
    chatModules.clear()
    const next = [chatScreen]
    for (let id = next.pop(); id !== undefined; id = next.pop()) {
      const found = this.getModuleInfo(id)
      if (!found || chatModules.has(id)) continue
      chatModules.add(id)
      next.push(...found.importedIds)
    }
  },
}
const ofConversations = /src\/web\/(contacts|conversations)\//

/** The files that every page loads at once. */
const ofPage = /^assets\/(vendor|rolldown-runtime|index|simulador)-/

/** Smaller files are not worth it. */
const compressedFrom = 1024

/**
 * Writes each text beside itself, compressed. The server sends these, instead of compressing the same files
 * at each load.
 */
const compressed: Plugin = {
  name: 'compressed',
  apply: 'build',
  async writeBundle({ dir = '' }, bundle) {
    const names = Object.keys(bundle).filter((name) => /\.(js|css|json|svg)$/.test(name))
    await Promise.all(
      names.map(async (name) => {
        const file = join(dir, name)
        const content = await readFile(file)
        if (content.length < compressedFrom) return
        const params = { [constants.BROTLI_PARAM_QUALITY]: 9 }
        const [br, gz] = await Promise.all([
          promisify(brotliCompress)(content, { params }),
          promisify(gzip)(content, { level: 9 }),
        ])
        await Promise.all([writeFile(`${file}.br`, br), writeFile(`${file}.gz`, gz)])
      }),
    )
  },
}

/** Keys of the parts of an icon, its former names, and a statement that keeps it where nobody uses it. */
const notShownOfIcon = /,\s*key: "\w+"|\bkey: "\w+",\s*|^\s*aliases: \[[^\]]*\],?$|^__iconData\.node;$/gm

/**
 * Leaves out of icons what is never shown: of keys, six random letters for each part, no compression makes
 * less. In production React goes by the place of a part instead, and no icon changes its parts.
 */
const iconsWithoutKeys: Plugin = {
  name: 'icons-without-keys',
  apply: 'build',
  transform: {
    filter: { id: /\/lucide-react\/dist\/esm\/icons\/[\w-]+\.mjs$/ },
    handler: (code) => ({ code: code.replaceAll(notShownOfIcon, ''), map: null }),
  },
}

/** Of these only stylesheets are used. */
const shipped: Plugin = { ...licenses(['@fontsource-variable/inter', 'tailwindcss']), apply: 'build' }

/** The letters of Portuguese, in all weights; the other files of the font are fetched when one is needed. */
const font = /inter-latin-wght-normal-.*\.woff2$/

/**
 * Has the page fetch its font beside its scripts. Otherwise the browser asks for it only when it draws the
 * first text, and what wraps differently in it moves when it arrives, possibly under a click.
 */
const preloadedFont: Plugin = {
  name: 'preloaded-font',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler(_html, { bundle }) {
      const name = Object.keys(bundle ?? {}).find((file) => font.test(file))
      if (!name) throw new Error('The page has no font to preload')
      const attrs = { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: true, href: `/${name}` }
      return [{ tag: 'link', attrs, injectTo: 'head' }]
    },
  },
}

/** A page with its initial scripts in a few files, which load and compress better than fifty small ones. */
const page = (html: string): EnvironmentOptions => ({
  consumer: 'client',
  build: {
    outDir: resolve(import.meta.dirname, 'dist/web'),
    // The page's content security policy allows no data: scripts or fonts.
    assetsInlineLimit: 0,
    modulePreload: {
      // Browsers without it load what a script imports a little later.
      polyfill: false,
      // What the page itself loads need not be named with each part that is loaded later.
      resolveDependencies: (_file, names, { hostType }) =>
        hostType === 'js' ? names.filter((name) => !ofPage.test(name)) : names,
    },
    rolldownOptions: {
      input: resolve(root, html),
      optimization: { inlineConst: { mode: 'all', pass: 3 } },
      output: {
        // The shortest: each page names all that it may load later, and no compression makes a hash less.
        entryFileNames: 'assets/[name]-[hash:7].js',
        chunkFileNames: 'assets/[name]-[hash:7].js',
        codeSplitting: {
          groups: [
            { name: 'vendor', test: vendor },
            { name: 'app', tags: ['$initial'] },
            // Otherwise whoever needs an icon of the chat, or places one thing beside another, would load the
            // chat.
            {
              name: 'icons',
              test: /lucide-react\/.*\/(shuffle|arrow-right-left|triangle-exclamation-point)\./,
            },
            { name: 'floating', test: /node_modules\/@floating-ui\// },
            { name: 'filter', test: /platform\/browser\/use-page-filter\./ },
            { name: 'chat', test: (id) => chatModules.has(id) && ofConversations.test(id) },
          ],
        },
        // Must run before the first schema: zod tests whether `new Function` works, which the page's content
        // security policy would report as a violation at every start.
        banner: 'globalThis.__zod_globalConfig??={jitless:true};',
      },
    },
  },
})

const consolePage = page('index.html')
const simulatorPage = page('simulador.html')

export default defineConfig({
  root,
  // React has it by now.
  resolve: { alias: [{ find: /^use-sync-external-store\/shim(\/index\.js)?$/, replacement: 'react' }] },
  plugins: [
    react(),
    // Vite minifies the stylesheet; a pass of Tailwind before that takes ::highlight for a mistake.
    tailwindcss({ optimize: false }),
    serverOnlyLeftOut,
    iconsWithoutKeys,
    chatFinder,
    compressed,
    preloadedFont,
    shipped,
  ],
  // The pages are built separately, so that neither loads what only the other needs.
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
