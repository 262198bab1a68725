import { styleNonce } from '#web/ui/nonce.ts'

/**
 * Open dialogs stop the page behind them from scrolling by a style element, which the policy lets in only with the page's
 * nonce. `get-nonce`, which Radix' scroll lock asks, looks for it under this name.
 */
export function allowDialogStyles(): void {
  const nonce = styleNonce()
  if (nonce !== undefined) Object.assign(globalThis, { __webpack_nonce__: nonce })
}
