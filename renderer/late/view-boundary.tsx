import { Component, type ReactNode } from 'react';

interface ViewBoundaryProps {
  readonly failed: ReactNode;
  readonly children: ReactNode;
}

/** Keeps a failure in one view, where React would drop the page. A new `key` tries again. */
export class ViewBoundary extends Component<ViewBoundaryProps, { readonly hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError(): { readonly hasFailed: boolean } {
    return { hasFailed: true };
  }

  override render(): ReactNode {
    return this.state.hasFailed ? this.props.failed : this.props.children;
  }
}
