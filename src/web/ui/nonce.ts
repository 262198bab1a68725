/** The page's style nonce, set by the server: the policy rejects style elements without it. */
export function styleNonce(): string | undefined {
  const content = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content
  return content === '' ? undefined : content
}
