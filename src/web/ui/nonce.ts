/** The style nonce of the page, set by the server: the policy refuses style elements without it. */
export function styleNonce(): string | undefined {
  const content = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content
  return content === '' ? undefined : content
}
